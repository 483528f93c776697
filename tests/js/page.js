// A minimal browser for testing modules, with elements (but no layout), local storage and a location.

class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: new Map(), children: [] });
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  toggleAttribute(name, on) {
    if (on) this.attributes.set(name, "");
    else this.attributes.delete(name);
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }
}

/** Return an element's children that have the given class. */
export function classed(element, name) {
  return element.children.filter((child) => child.getAttribute("class")?.split(" ").includes(name));
}

/** Reset the browser's globals, and return the contents of its local storage. */
export function installPage() {
  const kept = new Map();
  globalThis.Node = Element;
  globalThis.document = { hidden: false, querySelector: () => null, createElement: (tag) => new Element(tag), createElementNS: (_, tag) => new Element(tag) };
  globalThis.location = { hostname: "localhost", origin: "http://localhost:8000", href: "http://localhost:8000/" };
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  };
  return kept;
}

installPage(); // for modules that look at the page when they are imported

/** Return a pseudorandom number generator that starts from a seed. */
export function dice(start) {
  let state = start;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Return this run's seed, which GRIDLOCK_SEED can set to repeat a run. */
export function seed() {
  const chosen = Number(process.env.GRIDLOCK_SEED ?? Math.floor(Math.random() * 1e9));
  process.stdout.write(`# To repeat this: GRIDLOCK_SEED=${chosen}\n`);
  return chosen;
}
