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
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Where that is, for a kangaroo: a place near by, or LATITUDE,LONGITUDE.", valueName: "place"),
            transform: Spot.init(argument:))
        var place: Spot?

        /// nil when none of the options was given.
        ///
        /// - Throws: a `Refusal` for a place that is not known.
        func address(in shop: Shop) async throws -> Address? {
            guard let name, let line1, let city, let postalCode, let country else { return nil }
            return Address(
                name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
                country: country.uppercased(), phone: phone, location: try await place?.point(in: shop))
        }

        func validate() throws {
            let required = [
                ("--name", name), ("--line1", line1), ("--city", city), ("--postal-code", postalCode),
                ("--country", country),
            ]
            let missing = required.filter { $0.1 == nil }.map(\.0)
            let isMore = place != nil || [line2, region, phone].contains { $0 != nil }
            guard missing.isEmpty || (missing.count == required.count && !isMore) else {
                throw ValidationError("An address also needs \(missing.joined(separator: ", ")).")
            }
            guard country.map({ $0.utf8.count == 2 && $0.allSatisfy(\.isLetter) }) ?? true else {
                throw ValidationError("--country takes two letters, as in AU.")
            }
        }
    }
#endif
