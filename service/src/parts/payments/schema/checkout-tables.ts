/** How a merchant has the checkout page set up; there is no row until it says so. */
export type MerchantCheckoutTable = {
  merchant_id: string;
  /** Shown instead of the merchant's name; null when that will do. */
  name: string | null;
  /** Base64 of a checked picture; null when there is none, as are the three that describe it. */
  mark: string | null;
  mark_kind: 'png' | 'webp' | null;
  mark_width: number | null;
  mark_height: number | null;
  /** JSON array of checked origins. */
  embed_origins: string;
  updated_at: number;
};
