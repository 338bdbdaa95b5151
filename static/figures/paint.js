// Colours of a figure: a builder names them by token ("@ink2", "@simulated/.45"), the stylesheet holds the values.
// A custom property with light-dark() reads back as text, so the colour is asked of a probe element, which can also be
// told a scheme: exported pictures are light whatever the page is.
const probe = document.createElement("i");
probe.hidden = true;

function token(name, scheme) {
  if (!probe.isConnected) document.body.append(probe);
  probe.style.cssText = `color:var(--${name});color-scheme:${scheme || "inherit"}`;
  return getComputedStyle(probe).color;
}
export function paint(x, scheme) {
  if (typeof x === "string" && x[0] === "@") {
    const [name, alpha] = x.slice(1).split("/"), c = token(name, scheme);
    return alpha ? c.replace(/^rgba?\(([^,]+),([^,]+),([^,)]+).*$/, `rgba($1,$2,$3,${alpha})`) : c;
  }
  if (Array.isArray(x)) return x.map(v => paint(v, scheme));
  if (x && typeof x === "object") return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, paint(v, scheme)]));
  return x;
}
