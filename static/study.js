// The view of a study: every control belongs to the form "view"; a change fetches the page with the new address and
// takes the parts that changed. While a slider is dragged, survivors are counted here at once; the answer confirms.
const form = () => document.getElementById("view");
const PAUSE_MS = 120;
let wait;

const range = box => box.querySelector("[type=range]"), number = box => box.querySelector("[type=number]");
const any = input => +input.value === +input.dataset.open;
function fill(input) { input.style.setProperty("--at", `${100 * (input.value - input.min) / (input.max - input.min)}%`); }

function follow(input) {                    // the box says what the slider says, in the shown unit
  const box = input.closest(".limit"), factor = +number(box).dataset.factor;
  number(box).value = any(input) ? "" : +(input.value * factor).toPrecision(6);
  if (any(input)) input.setAttribute("aria-valuetext", "any"); else input.setAttribute("aria-valuetext", `${number(box).value} ${box.querySelector(".u").textContent}`);
  soften(box, input);
  fill(input);
}
function soften(box, slider) { if (slider.dataset.soft === undefined) box.classList.toggle("wish", any(slider)); }
function typed(input) {
  const slider = range(input.closest(".limit"));
  slider.value = input.value === "" ? slider.dataset.open : input.value / +input.dataset.factor;
  slider.dataset.moved = "";
  slider.dataset.exact = input.value === "" ? "" : input.value / +input.dataset.factor;
  soften(input.closest(".limit"), slider);
  fill(slider);
}
function survivors() {
  const points = JSON.parse(document.getElementById("points")?.textContent || "[]");
  const limits = [...document.querySelectorAll(".limit")].filter(box => !any(range(box)) && range(box).dataset.soft === undefined);
  const met = (p, box) => p[box.dataset.metric] !== undefined && (box.dataset.sign === "≤" ? p[box.dataset.metric] <= +range(box).value : p[box.dataset.metric] >= +range(box).value);
  document.getElementById("alive").textContent = points.filter(p => limits.every(box => met(p, box))).length;
}
document.addEventListener("input", event => {
  const input = event.target;
  if (input.form !== form()) return;
  if (input.type === "range") { delete input.dataset.exact; input.dataset.moved = ""; follow(input); survivors(); }
  if (input.type === "number") { typed(input); survivors(); }
  clearTimeout(wait);
  wait = setTimeout(() => htmx.trigger(form(), "refresh"), PAUSE_MS);
});
// The address holds only what differs from the default: open sliders and shown classes stay out of it.
document.addEventListener("htmx:configRequest", event => {
  if (event.detail.elt !== form() && event.detail.elt.id !== "study") return;
  const p = event.detail.formData, all = name => [...document.querySelectorAll(`[name="${name}"]`)];
  for (const name of ["hide", "drop"]) { p.delete(name); for (const box of all(name)) if (!box.checked) p.append(name, box.value); }
  for (const slider of document.querySelectorAll(".limit [type=range]")) {
    const kept = slider.dataset.moved === undefined ? new URLSearchParams(location.search).get(slider.name) : any(slider) ? (slider.dataset.slo === undefined ? "" : "any") : slider.dataset.exact || slider.value;
    if (kept) p.set(slider.name, kept); else p.delete(slider.name);
  }
  const columns = all("columns");
  if (columns.length && columns.every(c => c.checked === c.defaultChecked) && !new URLSearchParams(location.search).has("columns")) p.delete("columns");
});
document.addEventListener("click", event => {
  if (!event.target.closest("[data-do=tsv]")) return;
  const rows = [...document.querySelectorAll("#compare-table tr")].map(tr => [...tr.cells].map(c => c.innerText.replace(/\s+/g, " ").trim()).join("\t"));
  navigator.clipboard.writeText(rows.join("\n")).then(() => { document.getElementById("said").textContent = "Table copied."; });
});
