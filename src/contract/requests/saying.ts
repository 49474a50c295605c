import * as z from "zod/mini";

/** A check of a text by a function that says what is wrong with it, or nothing. */
export function saying(problem: (text: string) => string | undefined): z.core.$ZodCheck<string> {
  return z.superRefine((text: string, context) => {
    const message = problem(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}
