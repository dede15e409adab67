#if TerminalPrograms
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How products are shown: in a list, and one with all its variants.
    enum ProductText {
        static func list(_ products: [Product], orElse none: StyledText = "Nothing was found.") -> [Block] {
            guard !products.isEmpty else { return [.line(none)] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "NAME"), .init(title: "HANDLE"), .init(title: "PRICE"), .init(title: "STOCK"),
                        ],
                        rows: products.map { product in
                            [
                                StyledText(product.name, .bold), StyledText(product.handle),
                                StyledText(price: product.price, before: product.compareAtPrice),
                                StyledText(stock: product.available),
                            ]
                        }
                    ))
            ]
        }

        static func blocks(_ product: Product) -> [Block] {
            var blocks: [Block] = [
                .line(StyledText(product.name, .bold)),
                .line(
                    StyledText(price: product.price, before: product.compareAtPrice) + "  "
                        + StyledText(stock: product.available)),
            ]
            if let description = product.description, !description.isEmpty {
                blocks += [.blank] + description.split(separator: "\n").map { .line(StyledText(String($0))) }
            }
            let facts = [
                ("Category", product.category),
                ("Materials", product.materials?.joined(separator: ", ")),
                ("Care", product.careInstructions),
                ("Tags", product.tags.joined(separator: ", ")),
            ].compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
            blocks += [.blank] + facts.map { .line(StyledText($0.0 + ": ", .dim) + StyledText($0.1)) }
            blocks += [.blank, .table(variants(product))]
            if let wanted = product.variants.first(where: { $0.available > 0 }) {
                blocks += [.blank, .line(StyledText("Add one: ", .dim) + StyledText("pouch cart add \(wanted.sku)"))]
            }
            return blocks
        }

        private static func variants(_ product: Product) -> Table {
            let options = product.options.map(\.name)
            return Table(
                columns: [.init(title: "SKU")] + options.map { .init(title: $0.uppercased()) }
                    + [.init(title: "PRICE"), .init(title: "STOCK")],
                rows: product.variants.map { variant in
                    [StyledText(variant.sku)] + options.map { StyledText(variant.options[$0] ?? "") } + [
                        StyledText(price: variant.price, before: variant.compareAtPrice),
                        StyledText(stock: variant.available),
                    ]
                }
            )
        }
    }
#endif
