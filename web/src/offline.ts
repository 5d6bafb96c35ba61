/** Keeps the page for visits without a network. What fails here only leaves the page online. */
export function keepForOffline(): void {
  // The development server has no build to keep.
  if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(new URL("sw.js", document.baseURI)).catch(() => {});
}
