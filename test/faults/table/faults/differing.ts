import { answer, type Fault, READ } from "../fault.ts";

export const IGNORED = "everything as it was";

/** A success that speaks of something else than was asked. */
export const differing: readonly Fault[] = [
  { name: "another id", steps: [READ, answer({ data: { id: "somebody-else" } })] },
  { name: "another relayer", steps: [READ, answer({ data: { relayer_id: "somebody-else" } })] },
  {
    name: "other values",
    steps: [
      READ,
      answer({
        data: {
          name: "x",
          paused: "x",
          url: "x",
          value: "77",
          notification_id: "x",
          policies: { min_balance: 77, gas_price_cap: 77 },
        },
      }),
    ],
    only: "writes",
  },
  { name: IGNORED, steps: [READ, answer({ unchanged: true })], only: "writes" },
].map((fault) => ({ ...fault, row: "differs", code: 9, validated: "by its shape" }) as Fault);
