#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    enum SecondFactorCommand: CommandFamily {
        static let commandName = "second-factor"
        static let abstract = "Staff: sign in with a one-time code in addition to the password."
        static let subcommands: [any NamedCommand.Type] = [Show.self, Enable.self, Disable.self]

        struct Show: ShopCommand {
            static let abstract = "Show whether your account requires a code."

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.account.secondFactor()) { [.line(Self.text($0))] }
            }

            private static func text(_ factor: SecondFactor) -> StyledText {
                guard !factor.isEnabled else {
                    return "Your account requires a code. \(factor.recoveryCodesLeft) recovery codes are left."
                }
                guard factor.isRequired == true else {
                    return "Your account does not require a code. Set one up with `pouch second-factor enable`."
                }
                return "Staff of this shop need a code. Set one up with `pouch second-factor enable`."
            }
        }

        struct Enable: ShopCommand {
            static let abstract = "Set up an authenticator app."
            static let discussion = """
                Prints a secret for the app, asks for a first code, and prints recovery codes in case you lose the \
                app. The secret and the codes are shown only once. On a terminal, the command asks again after a \
                wrong code.
                """

            /// The number of codes to ask for on a terminal. The server refuses an account after ten wrong ones in an
            /// hour.
            private static let tries = 3

            func run(in shop: Shop) async throws {
                let account = shop.client.account
                let secret = try await shop.withFreshSignIn { try await account.beginSecondFactor() }
                shop.note("Add this secret to your authenticator app:")
                shop.note(StyledText(secret.secret, .bold))
                shop.note(StyledText(secret.uri, .dim))
                try shop.show(try await enabled(in: shop)) { found in
                    [.line("Your account now requires a code. Store these recovery codes; each works once:")]
                        + found.codes.map { .line(StyledText($0)) }
                }
            }

            /// Confirms a first code. A wrong one is asked for again, since the next run would make another secret.
            private func enabled(in shop: Shop) async throws -> RecoveryCodes {
                var left = Prompt.isPossible ? Self.tries : 1
                while true {
                    guard let code = try await Prompt.code() else {
                        throw Refusal(
                            "No code was entered, and nothing has changed.",
                            "Run the command again to get a new secret.", .usage)
                    }
                    left -= 1
                    do {
                        return RecoveryCodes(codes: try await shop.client.account.enableSecondFactor(code: code))
                    } catch {
                        guard error.reason == .secondFactorInvalid else { throw error }
                        guard left > 0 else {
                            throw Refusal(
                                "The code is wrong, and nothing has changed.",
                                "Check the clock of the app's device, and run the command again to get a new secret.",
                                .notSignedIn)
                        }
                        shop.note("The code is wrong. Check the secret in the app, and enter its current code.")
                    }
                }
            }
        }

        struct Disable: ShopCommand {
            static let abstract = "Stop requiring a code to sign in."

            func run(in shop: Shop) async throws {
                try await shop.withFreshSignIn { try await shop.client.account.removeSecondFactor() }
                shop.confirm("Your account no longer requires a code.")
            }
        }
    }

    extension Prompt {
        /// Signs in without a code first, and asks for one if the account needs it.
        static func withCode<Value>(_ signIn: (_ code: String?) async throws -> Value) async throws -> Value {
            do {
                return try await signIn(nil)
            } catch let error as DataError where error.reason == .secondFactorRequired {
                guard let code = try await code() else { throw error }
                return try await signIn(code)
            }
        }
    }

    extension Shop {
        /// Makes a call that requires a recent sign-in. If the last one was too long ago, asks for the password and
        /// makes the call again.
        func withFreshSignIn<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
            do {
                return try await call()
            } catch let error as DataError where error.reason == .freshSignInRequired {
                note("Confirm your password to continue.")
                let password = try await Prompt.password()
                try await Prompt.withCode { try await client.account.confirm(password: password, code: $0) }
                return try await call()
            }
        }
    }
#endif
