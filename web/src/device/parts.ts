/** What has to be here to play on this device: what it weighs, and fetching it with a word on how far that is. */

import { BASE } from "../shell/site";

/** All files that are needed, as the build lists them. */
export interface Parts {
  /** Where Python lies. */
  folder: string;
  /** Each file's address and bytes, as unpacked. */
  files: readonly (readonly [string, number])[];
  /** The bytes of all of them on their way here. */
  download: number;
}

const ENGINE = `${BASE}engine`;

/** Ask what there is to fetch: the engine, and all pages that are fetched only when somebody goes there. */
export async function fetchParts(): Promise<Parts> {
  const [engine, site] = await Promise.all([listed(`${ENGINE}/parts.json`), listed(`${BASE}files.json`)]);
  const { folder } = engine;
  const parts = engine.files.map(([name, bytes]) => [`${ENGINE}/${folder}/${name}`, bytes] as const);
  const pages = site.files.map(([path, bytes]) => [BASE + path, bytes] as const);
  return { folder, files: [...parts, ...pages], download: engine.download + site.download };
}

/** The address of a part of the engine. */
export function addressOf({ folder }: Parts, name: string): string {
  return `${ENGINE}/${folder}/${name}`;
}

/** Fetch every file into the browser's keeping, telling after each piece how much of all has come. */
export async function fetchAll(parts: Parts, tell: (loaded: number, size: number) => void): Promise<void> {
  const size = parts.files.reduce((sum, [, bytes]) => sum + bytes, 0);
  let loaded = 0;
  await Promise.all(
    parts.files.map(async ([address]) => {
      const reader = (await fetched(address, "default")).body?.getReader();
      for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
        loaded += piece.value.byteLength;
        tell(loaded, size);
      }
    }),
  );
}

/** Whether everything is kept here already, so that nothing has to be downloaded. */
export async function isFetched(parts: Parts): Promise<boolean> {
  const kept = await Promise.all(parts.files.map(([address]) => caches.match(address)));
  return kept.every((file) => file !== undefined);
}

async function listed(address: string): Promise<Parts> {
  return (await fetched(address, "no-cache")).json() as Promise<Parts>;
}

async function fetched(address: string, cache: RequestCache): Promise<Response> {
  const answer = await fetch(address, { cache });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer;
}
