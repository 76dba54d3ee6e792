/** Who asks, as the credential alone says it. */
export interface Credential {
  /** A secret key: it is trusted as the server that holds it. */
  readonly isKey: boolean
  /** The stored id of the member whose token it is; null with a key. */
  readonly memberId: string | null
}

/** Who asks, with what the member has at this moment. Neither a secret key nor a public one has a plan or a role. */
export interface Viewer extends Credential {
  /** The stored id of the member's plan. */
  readonly planId: string | null
  /** Whether the member's role is in the project's `moderator_roles`. */
  readonly isModerator: boolean
}
