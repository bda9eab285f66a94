/** The log of all tables on this device, line by line, in the browser's own database. */

const DATABASE = "cartagena";
const LINES = "lines";

/** The lines that are kept, and more of them. */
export class Journal {
  private constructor(
    private readonly database: IDBDatabase,
    /** The number of the last line. */
    private last: number,
  ) {}

  /** Open it and read every line, oldest first. */
  static async open(): Promise<{ journal: Journal; lines: string[] }> {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(LINES);
    const database = await resultOf(opening);
    const reading = database.transaction(LINES, "readonly").objectStore(LINES);
    const [numbers, lines] = await Promise.all([
      resultOf(reading.getAllKeys()),
      resultOf(reading.getAll() as IDBRequest<string[]>),
    ]);
    return { journal: new Journal(database, (numbers.at(-1) as number | undefined) ?? 0), lines };
  }

  /**
   * Keep a line; resolves when it is on the disk. It fails if somebody else has written in the meantime: then
   * what this worker knows is out of date.
   */
  append(line: string): Promise<void> {
    const keeping = this.database.transaction(LINES, "readwrite", { durability: "strict" });
    keeping.objectStore(LINES).add(line, ++this.last);
    return ended(keeping);
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database gave no reason"));
  });
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the lines were not kept"));
  });
}
