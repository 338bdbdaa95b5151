// Live parts: an element with data-poll is fetched again every few seconds and replaced by the answer, element by id.
// One request a page in flight; nothing is asked while the tab is hidden; an unchanged answer (304) touches nothing.
const EVERY_MS = 2000;
const tags = new Map();          // address -> ETag of the last answer
let busy = false;

function swap(html) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  let changed = false;
  for (const part of fresh.body.children) {
    const old = part.id && document.getElementById(part.id);
    if (!old || old.outerHTML === part.outerHTML) continue;
    if (old.contains(document.activeElement) && document.activeElement !== old) continue;   // never take the focus away
    if (old.dataset.version !== part.dataset.version) changed = true;
    old.replaceWith(document.adoptNode(part));
    window.htmx?.process(document.getElementById(part.id));
  }
  if (changed) document.body.dispatchEvent(new CustomEvent("news"));
}

async function ask(address) {
  const headers = tags.has(address) ? { "If-None-Match": tags.get(address) } : {};
  const answer = await fetch(address, { headers, cache: "no-store", credentials: "same-origin" });
  if (answer.status !== 200 || answer.redirected) return;
  tags.set(address, answer.headers.get("ETag"));
  swap(await answer.text());
}

async function tick() {
  const elements = [...document.querySelectorAll("[data-poll]")];
  const page = elements.find(e => e.id !== "queue-count") ?? elements[0];   // the page's own part carries the queue count too
  if (!page || busy || document.hidden) return;
  busy = true;
  try { await ask(page.dataset.poll); } catch (e) { /* the server is away: ask again at the next tick */ } finally { busy = false; }
}
setInterval(tick, EVERY_MS);
document.addEventListener("visibilitychange", tick);
