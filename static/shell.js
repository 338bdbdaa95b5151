// The shell of every page: menus, keys, copied link, confirmed and polled parts.
import "./poll.js";

const $ = (selector, root = document) => root.querySelector(selector);
const say = text => { $("#said").textContent = text; };

async function link() {
  try { await navigator.clipboard.writeText(location.href); say("Link copied."); } catch (e) { say("The browser did not permit copying; the address bar holds the link."); }
}
const acts = {
  menu: button => button.setAttribute("aria-expanded", $("#side").classList.toggle("open")),
  keys: () => $("#keys").showModal(),
  close: button => button.closest("dialog").close(),
  async link(button) { await link(); const was = button.textContent; button.textContent = "Copied"; setTimeout(() => { button.textContent = was; }, 1500); },
};
document.addEventListener("click", event => {
  const button = event.target.closest("[data-do]");
  if (button && acts[button.dataset.do]) acts[button.dataset.do](button);
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("submit", event => {
  const asked = event.target.dataset.confirm;
  if (asked && !confirm(asked)) event.preventDefault();
});
document.addEventListener("keydown", event => {
  const menu = event.key === "Escape" && $("details.menu[open]");
  if (menu) { menu.open = false; $("summary", menu).focus(); }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;   // no key fires while typing
  if (event.key === "?") acts.keys();
  if (event.key === "c") link();
});
