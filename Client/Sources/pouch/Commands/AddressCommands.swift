#if TerminalPrograms
    import ArgumentParser
    import PouchClient
    import PouchTerminal

    enum AddressCommand: CommandFamily {
        static let commandName = "address"
        static let abstract = "Manage the addresses of your account."
        static let subcommands: [any NamedCommand.Type] = [List.self, Add.self, Edit.self, Remove.self]

        struct List: ShopCommand {
            static let abstract = "List your addresses."

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.account.addresses()) { addresses in
                    .list(
                        addresses, orElse: "You have no addresses. Add one with `pouch address add`.",
                        [Field("ID", .bold) { $0.id ?? "-" }, Field("NAME", \.name), Field("ADDRESS", \.line)])
                }
            }
        }

        struct Add: ShopCommand {
            static let abstract = "Add an address."

            @OptionGroup(title: "Address") var options: AddressOptions

            func run(in shop: Shop) async throws {
                guard let address = try await options.address(in: shop) else {
                    throw Refusal(
                        "An address is required.",
                        "Add it: --name NAME --line1 STREET --city CITY --postal-code CODE --country CODE.", .usage)
                }
                try shop.show(try await shop.client.account.addAddress(address)) { $0.output }
            }
        }

        struct Edit: EditCommand {
            static let abstract = "Change parts of an address."
            static let discussion = "An empty text clears --line2, --region and --phone."

            @OptionGroup var address: AddressArgument

            @Option(help: "The recipient.") var name: String?
            @Option(help: "Street and number.") var line1: String?
            @Option(help: "Flat, floor, company ...") var line2: String?
            @Option(help: "City.") var city: String?
            @Option(help: "State or province.") var region: String?
            @Option(help: "Postal code.") var postalCode: String?
            @Option(help: .value("code", "Country, a two-letter code such as AU."))
            var country: String?
            @Option(help: "Phone number for the courier.") var phone: String?
            @Option(
                parsing: .unconditional,
                help: .value("place", "The location: a place nearby, or LATITUDE,LONGITUDE."),
                transform: Spot.init(argument:))
            var place: Spot?

            var notFound: NotFound { address.notFound }

            static let example = "--line1"
            var namesChange: Bool {
                place != nil || [name, line1, line2, city, region, postalCode, country, phone].contains { $0 != nil }
            }

            func run(in shop: Shop) async throws {
                let account = shop.client.account
                let old = try await shop.savedAddress(id: address.id)
                func changed(_ new: String?, _ old: String?) -> String? {
                    new.map { $0.isEmpty ? nil : $0 } ?? old
                }
                let new = Address(
                    name: name ?? old.name, line1: line1 ?? old.line1, line2: changed(line2, old.line2),
                    city: city ?? old.city, region: changed(region, old.region),
                    postalCode: postalCode ?? old.postalCode, country: country?.uppercased() ?? old.country,
                    phone: changed(phone, old.phone), location: try await place?.point(in: shop) ?? old.location)
                try shop.show(try await account.updateAddress(id: address.id, to: new)) { $0.output }
            }
        }

        struct Remove: ShopCommand {
            static let abstract = "Remove an address."

            @OptionGroup var address: AddressArgument

            var notFound: NotFound { address.notFound }

            func run(in shop: Shop) async throws {
                try await shop.client.account.removeAddress(id: address.id)
                shop.confirm("The address has been removed.")
            }
        }
    }

    struct AddressArgument: ParsableArguments {
        @Argument(help: "The address's ID, as `pouch address list` shows it.")
        var id: String

        var notFound: NotFound { .address(id) }
    }

    extension NotFound {
        static func address(_ id: String) -> NotFound {
            NotFound("address", id, "`pouch address list` lists your addresses.")
        }
    }

    extension Shop {
        /// An address of the account.
        ///
        /// - Throws: a `DataError`; `.notFound` if there is no address with that ID.
        func savedAddress(id: String) async throws -> Address {
            guard let address = try await client.account.addresses().first(where: { $0.id == id }) else {
                throw DataError(.notFound)
            }
            return address
        }
    }

    extension Address {
        /// Everything but the id and the name.
        fileprivate var line: String {
            [line1, line2, [postalCode, city].filter { !$0.isEmpty }.joined(separator: " "), region, country, phone]
                .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
        }

        fileprivate var output: [Output] {
            [.line(StyledText(id ?? "-", .bold) + StyledText("  \(name), \(line)"))]
        }
    }
#endif
