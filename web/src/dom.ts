// Creates elements in one expression.

type Child = Node | string | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: any) => void);
type Attributes = Readonly<Record<string, Value>>;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (name === "style") {
      // The page's security policy forbids the `style` attribute.
      (element as Element as HTMLElement).style.cssText = String(value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** An HTML element. An attribute `onclick` with a function listens for `click`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Replaces the children of an element. If the focus was on an old child, it moves to the new one
 * with the same `data-key`, or to the element itself, so that it is not lost.
 */
export function replace(host: HTMLElement, ...children: Child[]): void {
  const focused = document.activeElement;
  const isInside = focused instanceof HTMLElement && focused !== host && host.contains(focused);
  const key = isInside ? focused.closest<HTMLElement>("[data-key]")?.dataset.key : undefined;
  host.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
  if (!isInside) return;
  const again = key === undefined ? null : host.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (again) {
    again.focus();
  } else {
    host.tabIndex = -1;
    host.focus();
  }
}

/** Copies a text. Returns `false` if the browser does not allow it. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
