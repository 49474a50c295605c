/** Whether this is `npm run test:deep`: more of everything, for as long as it takes. */
export const DEEP = process.env.MODE === "deep";
