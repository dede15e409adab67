#if TerminalPrograms
    import PouchClient
    import PouchTerminal

    /// Who is signed in, as this program prints it: a session without its tokens.
    struct Principal: Encodable {
        let kind: SessionKind
        let profile: Profile?

        var blocks: [Block] {
            guard let profile else { return [.line("guest")] }
            return [.line(StyledText(profile.name, .bold) + StyledText(" <\(profile.email)>"))]
        }
    }
#endif
