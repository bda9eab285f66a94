/*
 * The service worker: the site opens without a network, and notices arrive while it is closed.
 *
 * Hashed files never change, so they come from the cache; the page itself comes from the network as long as
 * there is one. What belongs to the service (/api) is never kept and never touched.
 */
const FILES = "cartagena-files";
const WORDS = "cartagena-words";
/** The path of the home page: this script lies beside it, at whatever path that is. */
const SITE = new URL("./", self.location).pathname;
const WORDS_ADDRESS = `${SITE}notice-words.json`;
const HASHED = [`${SITE}assets/`, `${SITE}engine/`];
/** Their names say nothing of what is in them: they come from the network as long as there is one. */
const NAMED = new Set(
  ["engine/parts.json", "files.json", "manifest.webmanifest", "theme.js"].map((name) => SITE + name),
);
/** The files that the page begins with, and not its icons. */
const FIRST = /^(?:assets\/)?[^/]+\.\w+$/;
/** More than any build has; older builds fall out at the other end. */
const MOST_FILES = 400;

self.addEventListener("install", (event) => {
  event.waitUntil(keepPage().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (address.pathname.startsWith(`${SITE}api/`)) return;
  if (request.mode === "navigate" && !isFile(address)) {
    const answer = page(request);
    event.respondWith(answer);
    event.waitUntil(answer.then(renewPage).catch(() => undefined));
  } else if (NAMED.has(address.pathname)) event.respondWith(newest(request));
  else if (HASHED.some((folder) => address.pathname.startsWith(folder))) event.respondWith(file(request));
});

/** The page tells its words for notices, because a worker cannot ask the catalogue. */
self.addEventListener("message", (event) => {
  if (event.data?.kind !== "notice_words") return;
  const body = JSON.stringify(event.data.words);
  event.waitUntil(caches.open(WORDS).then((cache) => cache.put(WORDS_ADDRESS, new Response(body))));
});

self.addEventListener("push", (event) => {
  event.waitUntil(notify(event.data?.json() ?? {}));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.table));
});

/** The licences and other plain files may be opened like pages; they are not the site. */
function isFile(address) {
  return /\.\w+$/.test(address.pathname);
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (problem) {
    const kept = await caches.match(SITE);
    if (kept) return kept;
    throw problem;
  }
}

/**
 * Keep the newest page for when there is no network: that of home, because each page tells what stands at its address,
 * and what an invitation opens must not be kept. Mostly it is the same as before, and the answer is short.
 */
async function renewPage() {
  const answer = await fetch(SITE, { cache: "no-cache" });
  if (answer.ok) await (await caches.open(FILES)).put(SITE, await anywhere(answer));
}

async function newest(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) await (await caches.open(FILES)).put(request, answer.clone());
    return answer;
  } catch (problem) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw problem;
  }
}

async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(FILES);
    await cache.put(request, answer.clone());
    await forgetOldest(cache);
  }
  return answer;
}

/** Keep the page and the files it begins with, for the first visit without a network. */
async function keepPage() {
  const cache = await caches.open(FILES);
  const page = await anywhere(await fetch(SITE, { cache: "no-store" }));
  const text = await page.clone().text();
  await cache.put(SITE, page);
  const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  const files = named.filter((address) => address.startsWith(SITE) && FIRST.test(address.slice(SITE.length)));
  await Promise.allSettled(files.map((address) => cache.add(address)));
}

/** A site of files alone names them from where its page lies; what is kept is shown at other addresses too. */
async function anywhere(answer) {
  const text = (await answer.text()).replaceAll('="./', `="${SITE}`);
  return new Response(text, { headers: answer.headers });
}

async function forgetOldest(cache) {
  const kept = await cache.keys();
  const tooMany = kept.slice(0, Math.max(0, kept.length - MOST_FILES));
  await Promise.all(tooMany.map((request) => cache.delete(request)));
}

/** A browser that was asked to push must show something, whatever came. */
async function notify({ kind, table, seq }) {
  const kept = await caches.match(WORDS_ADDRESS);
  const words = kept ? await kept.json() : {};
  const text = words[kind] ?? words.other;
  await self.registration.showNotification("Cartagena", {
    ...(text ? { body: text } : {}),
    icon: `${SITE}icons/icon-192.png`,
    // A later notice of the same table takes the place of the one before.
    tag: table ?? "cartagena",
    renotify: true,
    data: { table, seq },
  });
}

async function show(table) {
  const address = table ? `${SITE}table/${table}` : SITE;
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((each) => new URL(each.url).pathname === address);
  if (there) return there.focus();
  return self.clients.openWindow(address);
}
