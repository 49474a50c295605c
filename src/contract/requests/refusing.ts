import * as z from "zod/mini";

/** A check across the members of a body: the member to blame, the service's words, and when they are true. */
export function refusing<Body>(
  path: string,
  words: string | ((body: Body) => string),
  isBroken: (body: Body) => boolean,
): z.core.$ZodCheck<Body> {
  return z.superRefine((body: Body, context) => {
    if (!isBroken(body)) return;
    context.addIssue({ code: "custom", path: [path], message: typeof words === "string" ? words : words(body) });
  });
}
