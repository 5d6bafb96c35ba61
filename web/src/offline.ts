/** Keeps the page for visits without a network. If this fails, the page still works online. */
export function keepForOffline(): void {
  // The development server has no build to keep.
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => {});
}
