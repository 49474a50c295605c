export type { BumpOptions, BumpResult } from "./chain/bump/bump-client.ts";
export type { Unbumpable } from "./chain/bump/foresee-bump.ts";
export type {
  CallToSimulate,
  ChainClient,
  ChainOptions,
  DiagnosedQueue,
  DiagnosisOptions,
  SimulationOptions,
  VerdictOptions,
} from "./chain/chain-client.ts";
export type { Examined } from "./chain/examine.ts";
export type { FollowEnd, Goal, Standing } from "./chain/follow/followed.ts";
export type { WaitOptions } from "./chain/follow/wait-client.ts";
export type { ChainNode, NodeFault, NodeFaultKind, Reading } from "./chain/node/node.ts";
export type { Chain } from "./chain/open-chain.ts";
export type { Diagnosis, Finding, FindingCode, QueueHead, QueueStep } from "./chain/queue/diagnosis.ts";
export type { Broadcast } from "./chain/replacement/broadcast.ts";
export type { FeeMember, Fees } from "./chain/replacement/fees.ts";
export type { ChangeToPredict, Predicted, PredictOptions } from "./chain/replacement/predict-client.ts";
export type { Obstacle, Prediction, WayOut } from "./chain/replacement/prediction.ts";
export type { RevertKind, RevertReason } from "./chain/simulation/revert-reason.ts";
export type { Simulation, SimulationBlock, SimulationMethod } from "./chain/simulation/simulate.ts";
export type { SeenVersion, Stage, Verdict, VerdictWord } from "./chain/verdict/verdict.ts";
export type { Client } from "./client/client.ts";
export type { ClientEvent } from "./client/client-context.ts";
export type { ListBounds, ListPage } from "./client/pagination/list-pages.ts";
export type { ApiResult } from "./client/request.ts";
export type { PluginCall, PluginResult } from "./client/write.ts";
export { formatAmount, parseAmount } from "./contract/amount-in-unit.ts";
export { type JsonObject, type JsonValue, NumberLiteral, parseJson, writeJson } from "./contract/json.ts";
export type { Network } from "./contract/resources/network.ts";
export type {
  CreateNotificationRequest,
  Notification,
  UpdateNotificationRequest,
} from "./contract/resources/notification.ts";
export type { Plugin } from "./contract/resources/plugin.ts";
export type { Relayer, RpcConfig, UpdateRelayerRequest } from "./contract/resources/relayer.ts";
export type { Signer } from "./contract/resources/signer.ts";
export type {
  EvmReplacement,
  Replacement,
  SolanaReplacement,
  StellarReplacement,
} from "./contract/transaction/replacement-price.ts";
export type { Transaction } from "./contract/transaction/transaction.ts";
export {
  hasPayload,
  type PayloadType,
  readWebhookEvent,
  type SwapResult,
  type WebhookEvent,
  type WebhookPayload,
  type WebhookPayloads,
} from "./contract/webhook/event.ts";
export { type UnverifiedReason, verifyWebhook, type WebhookVerification } from "./contract/webhook/signature.ts";
export type { DoctorCode, DoctorSeverity } from "./doctor/codes.ts";
export type { DoctorFinding, DoctorOptions, DoctorReport, SkippedCheck } from "./doctor/examine.ts";
export { type Applied, EXIT_CODES, type Failure, RelayctlError } from "./errors.ts";
export type { ImpossibleChange, NotCompared, OutsideApi, Plan, PlannedChange, PlannedMember } from "./fleet/plan.ts";
export { type ClientOptions, type ClientWithChain, createClient, planFleet } from "./library.ts";
export type { PlanFleetOptions } from "./library-calls/plan-files.ts";
export type {
  PaidRow,
  PaymentSource,
  PaymentToSend,
  SendManyOptions,
  SendManyResult,
} from "./payments/library/options.ts";
export type { RowOutcome, RowState, Sum, Sums } from "./payments/outcome.ts";
