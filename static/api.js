// The reference of the API, drawn by Swagger UI. What is tried goes out under the session of this browser.
const place = document.getElementById("api");
const csrf = JSON.parse(document.body.getAttribute("hx-headers"));

window.SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (new URL(request.url, location.href).origin === location.origin) Object.assign(request.headers, csrf);
    return request;
  },
});
