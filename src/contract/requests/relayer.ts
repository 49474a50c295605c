import { ordered } from "../resources/field.ts";
import { relayerFields } from "../resources/relayer.ts";
import { schemaOf } from "./field-schemas.ts";

/** `policies` is validated separately, by the relayer's kind: see `policySchemas`. */
export const updateRelayerSchema = schemaOf(relayerFields, "update");

const CREATION = ordered(relayerFields, ["id", "name", "network", "network_type", "signer_id"]);

/** facts 3.1, with the words of its rules. `paused` is really required, and null counts as absent. */
export const createRelayerSchema = schemaOf(CREATION, "create");
