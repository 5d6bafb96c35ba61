// The library's clauses as sentences of the page.

/** A clause with a capital letter and a full stop. A move at its start stays as it's written. */
export function sentence(text: string): string {
  const begun = text.replace(/^[a-z]+(?![^\s,;:])/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${begun}${/[.?!]$/.test(text) ? "" : "."}`;
}

/** An error and its hint as sentences. */
export function errorText({ message, hint }: { message: string; hint?: string | undefined }): string {
  return hint === undefined ? sentence(message) : `${sentence(message)} ${sentence(hint)}`;
}
