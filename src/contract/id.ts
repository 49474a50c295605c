/** What may not stand in an id: the path would become another one, or could not be addressed (service-facts 1.6). */
const FORBIDDEN = /[/\u0000-\u001f\u007f-\u009f]/;

/**
 * Says why an id cannot be used in a path, or nothing when it can. `true` and `false` are refused because
 * `--paused false` leaves `false` behind as an id.
 */
export function idProblem(id: string): string | undefined {
  if (id === "") return "is empty";
  if (id === "." || id === "..") return "would change the path of the request";
  if (FORBIDDEN.test(id)) return "holds a slash or a control character";
  if (!id.isWellFormed()) return "holds a lone surrogate";
  if (id === "true" || id === "false")
    return "is no id; a flag such as --paused takes no value, its opposite is --no-paused";
  return undefined;
}

/** One part of a path, percent-encoded. The caller has looked at `idProblem` before. */
export function pathPart(id: string): string {
  const problem = idProblem(id);
  if (problem) throw new RangeError(`an id ${problem}`);
  return encodeURIComponent(id);
}
