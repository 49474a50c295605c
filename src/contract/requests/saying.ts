import * as z from "zod/mini";

/** Returns a check of a text by a function that returns the problem or undefined. */
export function problemCheck(problem: (text: string) => string | undefined): z.core.$ZodCheck<string> {
  return z.superRefine((text: string, context) => {
    const message = problem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}
