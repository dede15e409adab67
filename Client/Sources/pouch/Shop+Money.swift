#if TerminalPrograms
    import PouchClient

    extension Shop {
        /// An amount as it was typed, in the shop's currency, which the catalogue tells.
        func money(_ text: String) async throws -> Money {
            guard let price = try await client.catalog.products(ProductQuery(limit: 1)).items.first?.price else {
                throw Refusal(
                    "The shop has no products yet, so its currency is not known.",
                    "Import them first: pouch admin import FILE", .refused)
            }
            guard let money = Money(decimal: text, currency: price.currency), money.amount >= 0 else {
                throw Refusal(
                    "\(text) is not an amount in \(price.currency.code).",
                    "Write it like \(price.decimal).", .usage)
            }
            return money
        }
    }
#endif
