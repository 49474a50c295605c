export interface UnstickFlags {
  cancel?: true;
  raiseCap?: true;
  speed?: string;
  node?: string;
}
