export {
  AmountError,
  type Bare,
  coinProblem,
  parseAmount,
  readAmount,
  type TypedAmount,
  wireAmount,
} from "./amount/read.ts";
export {
  coinAmount,
  convertedAmount,
  formatAmount,
  isShownInCoin,
  suggestedPrice,
  typedAmount,
  withPoint,
} from "./amount/show.ts";
