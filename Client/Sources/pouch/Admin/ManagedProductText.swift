#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// Products as staff see them.
    enum ManagedText {
        static func list(_ products: [ManagedProduct]) -> [Output] {
            .list(
                products, orElse: "No matching products.",
                ["HANDLE", "NAME", "STATUS", .number("VARIANTS"), .number("AVAILABLE")]
            ) { product in
                [
                    StyledText(product.handle, .bold), StyledText(product.name), status(product.status),
                    "\(product.variants.count)", "\(product.variants.map(\.available).reduce(0, +))",
                ]
            }
        }

        /// Everything that staff can set and have set.
        static func details(_ product: ManagedProduct) -> [Output] {
            let details = product.details
            var output: [Output] = [
                .line(StyledText(product.name, .bold) + StyledText("  \(product.handle)  \(product.id)", .dim)),
                .line(status(product.status) + times(product.state)),
            ]
            if let description = details.description, !description.isEmpty {
                output += [.blank] + description.split(separator: "\n").map { .line(StyledText(String($0))) }
            }
            output.append(.blank)
            output += .facts(facts(details))
            output += pictures(details)
            output.append(.blank)
            return output + variants(product)
        }

        /// A table below the details; nothing without prices.
        static func scheduled(_ prices: [ScheduledPrice]) -> [Output] {
            prices.isEmpty ? [] : [.blank, .line(StyledText("Scheduled prices", .dim))] + PriceText.list(prices)
        }

        static func status(_ status: ProductStatus) -> StyledText {
            StyledText(status.title, status == .published ? .green : .yellow)
        }

        private static func times(_ state: ProductState) -> StyledText {
            var text = StyledText("")
            if let time = state.publishAt { text = text + StyledText("  published from ") + StyledText(time: time) }
            if let time = state.withdrawAt { text = text + StyledText("  withdrawn at ") + StyledText(time: time) }
            return text
        }

        private static func facts(_ details: ProductDetails) -> [(name: String, value: String?)] {
            var facts: [(name: String, value: String?)] = [
                ("Style code", details.styleCode), ("Category", details.category), ("Season", details.seasonId),
                ("Theme", details.themeId), ("Tags", details.tags.joined(separator: ", ")),
                ("Materials", details.materials?.joined(separator: ", ")), ("Care", details.careInstructions),
            ]
            for option in details.options {
                facts.append((name: "Option \(option.name)", value: option.values.joined(separator: ", ")))
            }
            return facts
        }

        private static func pictures(_ details: ProductDetails) -> [Output] {
            var named = details.images.enumerated().map { (name: "picture \($0.offset + 1)", image: $0.element) }
            if let image = details.promoImage { named.append((name: "picture for promotions", image: image)) }
            let lines = named.map { Output.line(StyledText("\($0.name)  \($0.image.url)  \($0.image.alt)", .dim)) }
            return lines.isEmpty ? [] : [.blank] + lines
        }

        private static func variants(_ product: ManagedProduct) -> [Output] {
            .list(
                product.variants, orElse: "There are no variants yet.",
                [
                    "SKU", .text("OPTIONS"), .number("PRICE"), .number("COMPARE AT"), .number("GRAMS"),
                    .number("AVAILABLE"), .number("ON HAND"), .number("HELD"),
                ]
            ) { variant in
                [
                    StyledText(variant.sku, .bold),
                    StyledText(product.details.options.compactMap { variant.options[$0.name] }.joined(separator: ", ")),
                    StyledText(variant.price), variant.compareAtPrice.map { StyledText($0) } ?? "",
                    variant.weightGrams.map { StyledText("\($0)") } ?? "",
                    "\(variant.available)", "\(variant.onHand)", "\(variant.held)",
                ]
            }
        }
    }
#endif
