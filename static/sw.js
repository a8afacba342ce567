// The service worker. `KEPT` comes before this (web/offline/views.py): the static files, the rules, the version.
//
// Pages come from the server whenever it answers, and as they were seen last where it does not. What is kept of a club
// belongs to the role that saw it: it goes when the server says that this phone is somebody else now, or nobody.
const FILES = "files", OPEN = "open", CLUB = "club ", OWNER = "X-Kept-For", KEPT_AT = "X-Kept-At", KEPT_BY = "X-Kept-By";
const SHARED = /^\/($|rules\/|offline$)/; // pages of no club that may be kept: never one with a secret in its address
const NOBODY = "-", GONE = [401, 403, 404, 410];
const PATIENCE = 5000; // so long a page may take before the one from last time is shown
const MOST_PAGES = 100; // of one club
const CHANGING = /^\/c\/[^/]+\/(games\/\d+\/)?$/; // a club’s page and a score sheet
const QUICKEST = 10000; // no hand is played faster: a page that was kept since is still as it was

let drops = 0; // how often pages were deleted: one that was asked for before that is not kept any more
const refused = new Set(); // pages that this phone may not see: not asked for again and again

const clubOf = (path) => path.match(/^\/c\/[^/]+\//)?.[0];
const after = (time) => new Promise((resolve) => setTimeout(resolve, time));

addEventListener("install", (event) => {
  skipWaiting(); // forms say which version they are of, and the files of older pages are kept: nobody has to wait
  event.waitUntil(
    (async () => {
      await (await caches.open(FILES)).addAll(KEPT.files);
      await keepPage(KEPT.unseen, await fetch(KEPT.unseen));
    })(),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([clients.claim(), dropOldFiles()])); // no more: pages wait until this is done
});

// Each open page says what belongs to it: kept one after the other, whether the page is still open then or not.
let taken = Promise.resolve();
addEventListener("message", (event) => {
  const paths = event.data === "rules" ? KEPT.rules : event.data;
  taken = taken.then(() => takeAlong(paths)).catch(() => {}); // no signal: with the next page
  event.waitUntil(Promise.all([clients.claim(), taken]));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url), path = pathname + search;
  if (origin !== location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(event, path));
  else if (request.method === "GET" && request.headers.get("X-Keep")) event.respondWith(pageToKeep(request, path));
});

// --- static files ---

const file = async (request) => (await caches.match(request, { cacheName: FILES })) ?? fetch(request);

// Files of older versions are kept as long as a page that is kept asks for them.
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
  if (event.request.method !== "GET") return asked.catch(() => find(KEPT.unseen)); // not renewed: that would send it again
  event.waitUntil(asked.then((answer) => isPage(answer) && seen(path, answer.clone(), since, answer.clone())).catch(() => {}));
  const quick = await Promise.race([asked.catch(() => null), after(PATIENCE)]);
  if (quick && !isAway(quick)) return quick;
  const signal = quick === undefined ? "slow" : "none"; // by how it failed: navigator.onLine is true with no signal, too
  const last = (await offlineHand(path, signal)) ?? (await old(path, signal));
  return last ?? asked.catch(() => old(KEPT.unseen, "none"));
};

// A page of ours, and not what somebody else answered: a hotel's login, say.
const isPage = (answer) =>
  answer.headers.get(OWNER) && !answer.redirected && answer.headers.get("Content-Type")?.startsWith("text/html");

// What a proxy says while the server is away.
const isAway = (answer) => [502, 503, 504].includes(answer.status) && !answer.headers.get(OWNER);

// A page that a script asks for, to be kept: the hand entry of a game for when there is no signal.
const pageToKeep = async (request, path) => {
  const since = drops, answer = await fetch(request);
  if (isPage(answer)) await seen(path, answer.clone(), since);
  return answer;
};

// Pages that belong to one that was opened, or the rule book: kept where they are not yet, or not since the last update.
const takeAlong = async (paths) => {
  const club = paths.map(clubOf).find(Boolean);
  for (const path of new Set(paths)) {
    if (refused.has(path) || (await isFresh(path, club))) continue;
    const since = drops, answer = await fetch(path, { priority: "low" });
    if (isPage(answer)) await seen(path, answer, since);
    if (GONE.includes(answer.status)) refused.add(path);
  }
};

// The first page, with which the app opens, has to name the club; what changes with every hand has to be of this hand.
const isFresh = async (path, club = "") => {
  const found = await find(path);
  if (found?.headers.get(KEPT_BY) !== KEPT.version) return false;
  if (CHANGING.test(path) && Date.now() - Date.parse(found.headers.get(KEPT_AT)) > QUICKEST) return false;
  return path !== "/" || (await found.text()).includes(`"${club}`);
};

// What a page says about who sees it, and the page itself, kept. The first page also says which clubs there are.
const seen = async (path, answer, since, first) => {
  if (since !== drops) return;
  const owner = answer.headers.get(OWNER), club = clubOf(path);
  if (club && (owner !== NOBODY || GONE.includes(answer.status))) await dropOthers(club, owner);
  if (path === "/" && first?.ok) await dropForgotten(await first.text());
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

// A page as it was seen last; it says since when it is kept, and why it is not the server's.
const old = async (path, signal) => {
  const found = await find(path);
  return found && marked(found, signal);
};

const marked = async (answer, signal) => {
  const marks = `data-kept="${answer.headers.get(KEPT_AT)}" data-signal="${signal}"`;
  return new Response((await answer.text()).replace("<html ", `<html ${marks} `), { headers: answer.headers });
};

// The next hand of a game is entered on the page that works without a signal.
const offlineHand = (path, signal) =>
  path.endsWith("/hands/new") ? old(path.replace(/new$/, "offline"), signal) : undefined;

// --- who sees what ---

const dropWhere = async (test) => {
  for (const name of await caches.keys()) {
    if (!name.startsWith(CLUB) || !test(name)) continue;
    drops += 1;
    await caches.delete(name);
  }
};

// Another role, or none: what the one before has seen goes.
const dropOthers = (club, owner) =>
  dropWhere((name) => name.startsWith(CLUB + club) && name !== CLUB + club + owner);

// Clubs that the first page does not list any more: somebody has logged out of them.
const dropForgotten = (text) => dropWhere((name) => !text.includes(`"${clubOf(name.slice(CLUB.length))}`));
