/** How many things are known at most; then what was known is forgotten. A map that holds weakly costs ten times as much a thing. */
const MOST = 2000;

/** The function, asked once for each of the last things. Only for things that are never changed, as what a collection holds. */
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
