/** Texts of games that come from files and go to them: picked, dropped, saved, or handed to another app. */

/** No text of a game is this long. */
const MOST_BYTES = 1_000_000;

/** The text of a file; null if it is too long to be a game. */
export async function textOf(file: File | undefined): Promise<string | null> {
  return file === undefined || file.size > MOST_BYTES ? null : file.text();
}

/** The file that was dropped, if one was. */
export function droppedFile(event: DragEvent): File | undefined {
  return event.dataTransfer?.files[0];
}

/** Whether something is dragged that could be opened. */
export function isFileDrag(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") === true;
}

/** What the record of a game is called as a file. */
export function recordFile(id: string): string {
  return `cartagena-${id}.txt`;
}

/** Save a text as a file. */
export function save(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Whether this device has a sheet of apps that take such a file. */
export function canHandOn(text: string, name: string): boolean {
  return typeof navigator.canShare === "function" && navigator.canShare({ files: [fileOf(text, name)] });
}

/** Hand a text to another app; a reader who closes the sheet has changed their mind. */
export async function handOn(text: string, name: string): Promise<void> {
  try {
    await navigator.share({ files: [fileOf(text, name)], title: name });
  } catch (problem) {
    if (!(problem instanceof DOMException && problem.name === "AbortError")) throw problem;
  }
}

function fileOf(text: string, name: string): File {
  return new File([text], name, { type: "text/plain" });
}
