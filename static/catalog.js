// Forms of the catalogue: rows that can be added, and a file that is too large is refused before it is sent.
for (const table of document.querySelectorAll("[data-rows]")) {
  const total = table.querySelector(`[name="${table.dataset.rows}-TOTAL_FORMS"]`), add = table.querySelector("[data-add-row]");
  add.hidden = false;
  add.addEventListener("click", () => {
    const blank = table.querySelector("template").content.querySelector("[data-row]").cloneNode(true);
    blank.querySelectorAll("[name], [for], [id]").forEach(el => ["name", "for", "id", "aria-describedby"].forEach(a => el.hasAttribute(a) && el.setAttribute(a, el.getAttribute(a).replace("__prefix__", total.value))));
    table.querySelector("table").append(blank);
    total.value = Number(total.value) + 1;
    blank.querySelector("input:not([type=hidden]), select").focus();
  });
}
for (const drop of document.querySelectorAll("[data-limit]")) {
  const input = drop.querySelector("input[type=file]"), said = drop.querySelector("[role=status]");
  input.addEventListener("change", () => {
    const file = input.files[0], large = file && file.size > Number(drop.dataset.limit);
    said.textContent = !file ? "" : large ? `${file.name} is larger than ${drop.dataset.limitWords}; a copy packed with gzip may pass.` : `${Math.max(1, Math.round(file.size / 1000)).toLocaleString("en")} kB`;
    said.classList.toggle("fails", Boolean(large));
    input.setCustomValidity(large ? said.textContent : "");
  });
  for (const kind of ["dragenter", "dragover"]) drop.addEventListener(kind, event => { event.preventDefault(); drop.classList.add("over"); });
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  drop.addEventListener("drop", event => { event.preventDefault(); if (event.dataTransfer.files.length) { input.files = event.dataTransfer.files; input.dispatchEvent(new Event("change")); } });
}
