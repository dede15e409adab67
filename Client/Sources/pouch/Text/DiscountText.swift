#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How discount codes are shown.
    enum DiscountText {
        static func list(_ discounts: [ManagedDiscount]) -> [Block] {
            guard !discounts.isEmpty else { return [.line("There are no discount codes.")] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "CODE"), .init(title: "TAKES OFF"), .init(title: "FROM"),
                            .init(title: "UNTIL"), .init(title: "USED", isNumber: true), .init(title: "ONLY"),
                        ],
                        rows: discounts.map { discount in
                            let terms = discount.terms
                            return [
                                StyledText(terms.code, .bold), value(terms),
                                terms.startsAt.map { StyledText(time: $0) } ?? "",
                                terms.endsAt.map { StyledText(time: $0) } ?? "",
                                StyledText("\(discount.used)" + (terms.limit.map { " of \($0)" } ?? "")),
                                StyledText(conditions(terms).joined(separator: "; ")),
                            ]
                        }
                    ))
            ]
        }

        private static func value(_ terms: DiscountTerms) -> StyledText {
            switch terms.kind {
            case .percentage: StyledText(percent(terms.basisPoints ?? 0))
            case .amount: terms.amount.map { StyledText($0) } ?? ""
            case .buyXGetY: StyledText("\(terms.get ?? 0) free with \(terms.buy ?? 0)")
            case .freeShipping: "shipping"
            case .unrecognised: "?"
            }
        }

        private static func percent(_ basisPoints: Int) -> String {
            let (whole, hundredths) = basisPoints.quotientAndRemainder(dividingBy: 100)
            guard hundredths != 0 else { return "\(whole) %" }
            let places = hundredths % 10 == 0 ? "\(hundredths / 10)" : (hundredths < 10 ? "0" : "") + "\(hundredths)"
            return "\(whole).\(places) %"
        }

        private static func conditions(_ terms: DiscountTerms) -> [String] {
            var conditions: [String] = []
            if let minimum = terms.minimum { conditions.append("from \(minimum.decimal) \(minimum.currency.code)") }
            if let products = terms.products { conditions.append("products " + products.joined(separator: ", ")) }
            if let categories = terms.categories {
                conditions.append("categories " + categories.joined(separator: ", "))
            }
            if let limit = terms.limitPerAccount { conditions.append("\(limit) for each account") }
            return conditions
        }
    }
#endif
