// The service worker. `KEPT` is prepended by web/offline/views.py: static files, rules, version.
//
// Network first; a stored copy if the server does not respond. A club's stored pages belong to the role that saw them:
// they are deleted when the server reports another role, or none.
const FILES = "files", OPEN = "open", CLUB = "club ", OWNER = "X-Kept-For", KEPT_AT = "X-Kept-At", KEPT_BY = "X-Kept-By";
const SHARED = /^\/($|rules\/|offline$)/; // storable pages outside of clubs: none with a secret in its address
const NOBODY = "-", GONE = [401, 403, 404, 410];
const PATIENCE = 5000; // timeout before a stored page is shown
const MOST_PAGES = 100; // of one club
const CHANGING = /^\/c\/[^/]+\/(games\/\d+\/)?$/; // a club’s page and a score sheet

let drops = 0; // number of deletions: pages requested before one are not stored
const refused = new Set(); // pages this phone may not see: not requested repeatedly

const clubOf = (path) => path.match(/^\/c\/[^/]+\//)?.[0];
const after = (time) => new Promise((resolve) => setTimeout(resolve, time));

addEventListener("install", (event) => {
  skipWaiting(); // safe: forms have a version, and older pages' files are kept
  event.waitUntil(
    (async () => {
      await (await caches.open(FILES)).addAll(KEPT.files);
      await keepPage(KEPT.unseen, await fetch(KEPT.unseen));
    })(),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([clients.claim(), dropOldFiles()])); // nothing more: pages wait for this
});

// Pages report what belongs to them; stored one by one, even if the page is closed.
let storing = Promise.resolve();
addEventListener("message", (event) => {
  const { paths, changed } = event.data === "rules" ? { paths: KEPT.rules } : event.data;
  storing = storing.then(() => prefetch(paths, changed)).catch(() => {}); // no signal: with the next page
  event.waitUntil(Promise.all([clients.claim(), storing]));
});

// Forms are left to the browser, which stores their answers for Back; without a network it would say less than our page.
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url), path = pathname + search;
  if (origin !== location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate" && (request.method === "GET" || !navigator.onLine)) event.respondWith(page(event, path));
  else if (request.method === "GET" && request.headers.get("X-Keep")) event.respondWith(pageToKeep(request, path));
});

// --- static files ---

const file = async (request) => (await caches.match(request, { cacheName: FILES })) ?? fetch(request);

// Deletes files of older versions that no stored page uses.
const dropOldFiles = async () => {
  const texts = [];
  for (const name of await caches.keys()) {
    if (name === FILES) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) texts.push(await (await cache.match(request)).text());
  }
  const files = await caches.open(FILES);
  for (const request of await files.keys()) {
    const { pathname } = new URL(request.url);
    if (!KEPT.files.includes(pathname) && !texts.some((text) => text.includes(pathname))) await files.delete(request);
  }
};

// --- pages ---

const page = async (event, path) => {
  const asked = fetch(event.request), since = drops;
  if (event.request.method !== "GET") return asked.catch(() => find(KEPT.unseen)); // no retry: that would send it again
  event.waitUntil(asked.then((answer) => isPage(answer) && receive(path, answer.clone(), since, answer.clone())).catch(() => {}));
  const quick = await Promise.race([asked.catch(() => null), after(PATIENCE)]);
  if (quick && !isDown(quick)) return quick;
  const signal = quick === undefined ? "slow" : "none"; // navigator.onLine can be true without a signal
  const last = (await offlineHand(path, signal)) ?? (await stored(path, signal));
  return last ?? asked.catch(() => stored(KEPT.unseen, "none"));
};

// True for our own pages, false for responses such as a hotel's login page.
const isPage = (answer) =>
  answer.headers.get(OWNER) && !answer.redirected && answer.headers.get("Content-Type")?.startsWith("text/html");

// True for a proxy's error while the server is down.
const isDown = (answer) => [502, 503, 504].includes(answer.status) && !answer.headers.get(OWNER);

// A page requested by a script to be stored: the offline page of a game.
const pageToKeep = async (request, path) => {
  const since = drops, answer = await fetch(request);
  if (isPage(answer)) await receive(path, answer.clone(), since);
  return answer;
};

// Stores pages related to an opened one, or the rule book, unless stored since the last update, and those that change
// with every hand, unless stored since `changed`, a time.
const prefetch = async (paths, changed) => {
  const club = paths.map(clubOf).find(Boolean);
  for (const path of new Set(paths)) {
    if (refused.has(path) || (await isFresh(path, club, changed))) continue;
    const since = drops, answer = await fetch(path, { priority: "low" });
    if (isPage(answer)) await receive(path, answer, since);
    if (GONE.includes(answer.status)) refused.add(path);
  }
};

// The first page, where the app starts, must link the club.
const isFresh = async (path, club = "", changed) => {
  const found = await find(path);
  if (found?.headers.get(KEPT_BY) !== KEPT.version) return false;
  if (CHANGING.test(path) && Date.parse(found.headers.get(KEPT_AT)) < changed) return false;
  return path !== "/" || (await found.text()).includes(`"${club}`);
};

// Stores a page and its owner. The first page also tells which clubs there are.
const receive = async (path, answer, since, first) => {
  if (since !== drops) return;
  const owner = answer.headers.get(OWNER), club = clubOf(path);
  if (club && (owner !== NOBODY || GONE.includes(answer.status))) await dropOthers(club, owner);
  if (path === "/" && first?.ok) await dropLeft(await first.text());
  await keepPage(path, answer, drops);
};

const keepPage = async (path, answer, since = drops) => {
  const club = clubOf(path);
  if (!answer.ok || !(club || SHARED.test(path))) return;
  const text = await answer.text();
  const headers = { "Content-Type": "text/html; charset=utf-8", [KEPT_AT]: new Date().toISOString(), [KEPT_BY]: KEPT.version };
  for (const name of ["Content-Security-Policy", "Referrer-Policy", OWNER])
    if (answer.headers.has(name)) headers[name] = answer.headers.get(name);
  if (since !== drops) return;
  const cache = await caches.open(club ? CLUB + club + answer.headers.get(OWNER) : OPEN);
  await cache.put(path, new Response(text, { headers }));
  if (!club) return;
  const all = await cache.keys();
  for (const request of all.slice(0, Math.max(0, all.length - MOST_PAGES))) await cache.delete(request);
};

const find = async (path) => {
  const club = clubOf(path);
  for (const name of await caches.keys()) {
    if (club ? !name.startsWith(CLUB + club) : name !== OPEN) continue;
    const found = await (await caches.open(name)).match(path);
    if (found) return found;
  }
};

// A stored page, marked with its time and why it is not the server's.
const stored = async (path, signal) => {
  const found = await find(path);
  return found && marked(found, signal);
};

const marked = async (answer, signal) => {
  const marks = `data-kept="${answer.headers.get(KEPT_AT)}" data-signal="${signal}"`;
  return new Response((await answer.text()).replace("<html ", `<html ${marks} `), { headers: answer.headers });
};

// Offline, the next hand of a game is entered on its offline page.
const offlineHand = (path, signal) =>
  path.endsWith("/hands/new") ? stored(path.replace(/new$/, "offline"), signal) : undefined;

// --- access ---

const dropWhere = async (test) => {
  for (const name of await caches.keys()) {
    if (!name.startsWith(CLUB) || !test(name)) continue;
    drops += 1;
    await caches.delete(name);
  }
};

// Deletes what was stored for another role.
const dropOthers = (club, owner) =>
  dropWhere((name) => name.startsWith(CLUB + club) && name !== CLUB + club + owner);

// Deletes clubs no longer listed on the first page: this device has left them.
const dropLeft = (text) => dropWhere((name) => !text.includes(`"${clubOf(name.slice(CLUB.length))}`));
