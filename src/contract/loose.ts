import * as z from "zod/mini";

/** A reply of which nothing is asked: its members are for the one who reads it. */
export const anything = z.any();

/** An object, whatever is in it. */
export const members = z.looseObject({});

/** An object with an id, whatever else is in it. */
export const identified = z.looseObject({ id: z.string() });

/** What the service answers to a deletion: `Relayer deleted successfully` (service-facts 3.1). Another text may be about anything. */
export const deletion = z.string().check(z.regex(/\bdeleted\b/i));
