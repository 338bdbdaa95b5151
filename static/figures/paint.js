// Colours of a figure: a builder names them by token ("@ink2", "@simulated/.45"), the stylesheet holds the values.
// A custom property with light-dark() reads back as text, so the colour is asked of a probe element, which can also be
// told a scheme: exported pictures are light whatever the page is. Only what is a colour by its key is looked up: a
// tenant may well be called "@ink".
const probe = document.createElement("i");
probe.hidden = true;

function token(name, scheme) {
  if (!probe.isConnected) document.body.append(probe);
  probe.style.cssText = `color:var(--${name});color-scheme:${scheme || "inherit"}`;
  return getComputedStyle(probe).color;
}
export function paint(x, scheme, key = "") {
  if (typeof x === "string" && x[0] === "@" && /color$/.test(key)) {
    const [name, alpha] = x.slice(1).split("/"), c = token(name, scheme);
    return alpha ? c.replace(/^rgba?\(([^,]+),([^,]+),([^,)]+).*$/, `rgba($1,$2,$3,${alpha})`) : c;
  }
  if (Array.isArray(x)) return x.map(v => paint(v, scheme, key));
  if (x && typeof x === "object") return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, paint(v, scheme, k)]));
  return x;
}
