/** The maximum number of cached results before all are dropped. A WeakMap costs ten times as much per object. */
const MOST = 2000;

/**
 * Returns the function with its latest results cached. Only for objects that never change, such as those in a
 * collection.
 */
export function memoized<Thing extends object, Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  const known = new Map<Thing, { made: Made }>();
  return (thing) => {
    const found = known.get(thing);
    if (found) return found.made;
    const made = make(thing);
    if (known.size >= MOST) known.clear();
    known.set(thing, { made });
    return made;
  };
}
