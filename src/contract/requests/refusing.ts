import * as z from "zod/mini";

/** Returns a check across the fields of a body: the field to report, the service's words, and the condition. */
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
