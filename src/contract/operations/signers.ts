import type { Operation } from "../operation.ts";
import { deletion } from "../reply/shape.ts";
import { signerShape } from "../resources/signer.ts";

/** facts 8.1. */
export const signersList = {
  id: "signers.list",
  kind: "read",
  method: "GET",
  path: "/signers",
  data: signerShape,
  list: true,
  since: "1.1",
} as const satisfies Operation;

/** facts 8.1: no secret is returned; a `plain` signer is returned as `local`. */
export const signersGet = {
  id: "signers.get",
  kind: "read",
  method: "GET",
  path: "/signers/{signer_id}",
  data: signerShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** facts 8.1. The client generates an ID if none is specified. */
export const signersCreate = {
  id: "signers.create",
  kind: "create",
  method: "POST",
  path: "/signers",
  data: signerShape,
  since: "1.1",
} as const satisfies Operation;

/** facts 8.1: the service rejects every update, so no command sends one. */
export const signersUpdate = {
  id: "signers.update",
  kind: "patch",
  method: "PATCH",
  path: "/signers/{signer_id}",
  data: signerShape,
  answers: "id",
  since: "1.1",
} as const satisfies Operation;

/** facts 8.1; rejected while a relayer uses it. */
export const signersDelete = {
  id: "signers.delete",
  kind: "remove",
  method: "DELETE",
  path: "/signers/{signer_id}",
  data: deletion,
  since: "1.1",
} as const satisfies Operation;
