// Theme before the first paint: system, light or dark. Colours live in the stylesheet only.
"use strict";
document.documentElement.classList.add("js");
(() => {
  const names = ["system", "light", "dark"];
  let now = "system";
  try { now = localStorage.getItem("theme") || "system"; } catch (e) { /* private window */ }
  function show() {
    if (now === "system") delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = now;
    for (const button of document.querySelectorAll("[data-do=theme]")) {
      button.textContent = now[0].toUpperCase() + now.slice(1);
      button.setAttribute("aria-label", `${button.textContent} theme. Change`);
    }
    document.dispatchEvent(new CustomEvent("theme"));
  }
  document.addEventListener("click", event => {
    if (!event.target.closest("[data-do=theme]")) return;
    now = names[(names.indexOf(now) + 1) % names.length];
    try { localStorage.setItem("theme", now); } catch (e) { /* private window */ }
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", show);
  if (names.includes(now) && now !== "system") document.documentElement.dataset.theme = now;
})();
