import fc from "fast-check";
import { DEEP } from "./deep.ts";

/** Properties try the same values at every run, so that a failure is the fault of a change. `npm run test:deep` tries others each time. */
if (!DEEP) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 });
