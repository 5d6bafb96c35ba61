// The library's clauses as sentences of the page.

/** A clause with a capital letter and a full stop. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
}

/** An error and its hint as sentences. */
export function errorText({ message, hint }: { message: string; hint?: string | undefined }): string {
  return hint === undefined ? sentence(message) : `${sentence(message)} ${sentence(hint)}`;
}
