#if TerminalPrograms
    /// What this program itself has to say against a command.
    struct Refusal: Error {
        let message: String
        /// What to do next.
        let advice: String
        let status: ExitStatus

        init(_ message: String, _ advice: String, _ status: ExitStatus) {
            self.message = message
            self.advice = advice
            self.status = status
        }
    }
#endif
