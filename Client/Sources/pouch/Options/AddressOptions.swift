#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// Where to deliver; either none of these or a whole address.
    struct AddressOptions: ParsableArguments {
        @Option(help: "Who receives it.") var name: String?
        @Option(help: "Street and number.") var line1: String?
        @Option(help: "Flat, floor, company ...") var line2: String?
        @Option(help: "City.") var city: String?
        @Option(help: "State or province.") var region: String?
        @Option(help: "Postal code.") var postalCode: String?
        @Option(help: ArgumentHelp("Country, two letters as in AU.", valueName: "code")) var country: String?
        @Option(help: "For the courier.") var phone: String?

        /// nil when none of the options was given.
        var address: Address? {
            guard let name, let line1, let city, let postalCode, let country else { return nil }
            return Address(
                name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
                country: country.uppercased(), phone: phone)
        }

        func validate() throws {
            let required = [
                ("--name", name), ("--line1", line1), ("--city", city), ("--postal-code", postalCode),
                ("--country", country),
            ]
            let missing = required.filter { $0.1 == nil }.map(\.0)
            let given = required.count - missing.count + [line2, region, phone].count { $0 != nil }
            guard given == 0 || missing.isEmpty else {
                throw ValidationError("An address also needs \(missing.joined(separator: ", ")).")
            }
            guard country.map({ $0.utf8.count == 2 && $0.allSatisfy(\.isLetter) }) ?? true else {
                throw ValidationError("--country takes two letters, as in AU.")
            }
        }
    }
#endif
