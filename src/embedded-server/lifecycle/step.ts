import type { JsonObject } from "../../contract/json.ts";
import type { Resource } from "../state/collection.ts";
import type { ServerState } from "../state/state.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** A step, with its state and time. */
export interface StepTaken {
  state: ServerState;
  relayer: Resource;
  transaction: Resource;
  lifecycle: Lifecycle;
  timestamp: number;
}

/** The changes of a step to a transaction, and its remaining steps; none if it is final or stays as it is. */
export interface StepResult {
  changes: JsonObject;
  following?: Lifecycle;
}
