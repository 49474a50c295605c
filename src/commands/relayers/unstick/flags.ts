/** The flags of `relayers unstick`, with commander's names. */
export interface UnstickFlags {
  cancel?: true;
  raiseCap?: true;
  speed?: string;
  node?: string;
}
