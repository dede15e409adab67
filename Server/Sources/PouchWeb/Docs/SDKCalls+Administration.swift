/// The calls of administrators and of programs with an API key.
extension SDKCalls {
    static let products: [String: SDKCall] = [
        "managedProducts": SDKCall(
            "Products in every status, the latest first.",
            """
            let drafts = try await pouch.admin.products(status: .draft)
            """),
        "addProduct": SDKCall(
            "Adds a product, as a draft unless the body says otherwise.",
            """
            let terms = ProductTerms(
                name: "Samphire cardigan", variants: [VariantTerms(price: Money(12_900, .eur), stock: 5)])
            let product = try await pouch.admin.addProduct(terms)
            """),
        "managedProduct": SDKCall(
            "One product in any status, by its id or its handle.",
            """
            let product = try await pouch.admin.product("samphire-cardigan")
            """),
        "updateProduct": SDKCall(
            "Changes the fields that the body has. If-Match refuses a change to a version that is no longer current.",
            """
            var terms = ProductTerms(product)
            terms.description = "Warm and light."
            try await pouch.admin.changeProduct(product, to: terms)
            """),
        "addPicture": SDKCall(
            "Uploads a picture and returns its url for a product. The body is the picture itself.",
            """
            let picture = try await pouch.admin.addPicture(file: file, mediaType: "image/jpeg")
            """),
        "exportProducts": SDKCall(
            "All products as a CSV file that can be imported again.",
            """
            try await pouch.admin.exportProducts(to: file)
            """),
        "managedCategories": SDKCall(
            "All categories, including those without products on sale.",
            """
            let page = try await pouch.admin.categories()
            """),
        "setCategory": SDKCall(
            "Adds the category, or renames it.",
            """
            try await pouch.admin.setCategory(id: "cardigans", name: "Cardigans")
            """),
        "deleteCategory": SDKCall(
            "Deletes a category that no product uses.",
            """
            try await pouch.admin.removeCategory(id: "cardigans")
            """),
        "managedSeasons": SDKCall(
            "All seasons.",
            """
            let page = try await pouch.admin.seasons()
            """),
        "setSeason": SDKCall(
            "Adds the season, or changes it.",
            """
            try await pouch.admin.setSeason(id: "71", SeasonTerms(name: "Autumn"))
            """),
        "deleteSeason": SDKCall(
            "Deletes a season that no product uses.",
            """
            try await pouch.admin.removeSeason(id: "71")
            """),
        "managedThemes": SDKCall(
            "All themes.",
            """
            let page = try await pouch.admin.themes()
            """),
        "setTheme": SDKCall(
            "Adds the theme, or changes it.",
            """
            try await pouch.admin.setTheme(id: "711", name: "Coast", seasonId: "71")
            """),
        "deleteTheme": SDKCall(
            "Deletes a theme that no product uses.",
            """
            try await pouch.admin.removeTheme(id: "711")
            """),
        "managedPromotions": SDKCall(
            "The promoted products with their status, in the shop's order.",
            """
            let page = try await pouch.admin.promotions()
            """),
        "setPromotions": SDKCall(
            "Replaces all promotions.",
            """
            try await pouch.admin.setPromotions([PromotionTerms(product: "samphire-cardigan")])
            """),
        "updateVariant": SDKCall(
            "Changes the price or the stock of a variant, at once.",
            """
            try await pouch.admin.changeStock(sku: "71101-69-m", .adjust(5))
            """),
        "scheduledPrices": SDKCall(
            "The scheduled prices of one SKU or of all, the latest first.",
            """
            let page = try await pouch.admin.scheduledPrices(sku: "71101-69-m")
            """),
        "schedulePrice": SDKCall(
            "Sets a price for a period. Outside that period the variant's own price applies.",
            """
            try await pouch.admin.schedulePrice(
                sku: "71101-69-m", Money(9_900, .eur), from: start, until: end)
            """),
        "deleteScheduledPrice": SDKCall(
            "Deletes a scheduled price.",
            """
            try await pouch.admin.removeScheduledPrice(id: id)
            """),
        "discounts": SDKCall(
            "The discounts with the number of their uses, the latest first.",
            """
            let page = try await pouch.admin.discounts()
            """),
        "addDiscount": SDKCall(
            "Adds a discount code. The fields that it needs depend on its kind.",
            """
            try await pouch.admin.addDiscount(DiscountTerms(code: "AUTUMN10", kind: .percentage, basisPoints: 1_000))
            """),
        "updateDiscount": SDKCall(
            "Changes the fields that the body has; null clears a field.",
            """
            var terms = discount.terms
            terms.limit = 100
            try await pouch.admin.changeDiscount(discount, to: terms)
            """),
        "deleteDiscount": SDKCall(
            "Deletes a discount. Orders keep what it took off.",
            """
            try await pouch.admin.removeDiscount(id: id)
            """),
        "importCatalog": SDKCall(
            "Imports a feed, which is the body. The response comes once it was received; the import then continues.",
            """
            let started = try await pouch.admin.importCatalog(file: file, format: .shopifyCSV)
            let ended = try await pouch.admin.follow(started)
            """),
        "catalogImport": SDKCall(
            "The progress of an import, and the rows that it left out.",
            """
            let progress = try await pouch.admin.catalogImport(id: id)
            """),
    ]

    static let admin: [String: SDKCall] = [
        "allOrders": SDKCall(
            "The orders of all customers that match every filter, the latest first.",
            """
            let page = try await pouch.admin.orders(OrderSearch(isUnsent: true))
            """),
        "managedOrder": SDKCall(
            "An order with its customer, refunds and notes, by its id or its number.",
            """
            let order = try await pouch.admin.order("P-10001")
            """),
        "updateOrder": SDKCall(
            "Enters, corrects or removes the tracking number.",
            """
            try await pouch.admin.track(id: id, Tracking(carrier: "DHL", number: "00340434161094015902"))
            """),
        "cancelManagedOrder": SDKCall(
            "Cancels an order before it is sent, puts its units back and refunds what is left of the charge.",
            """
            try await pouch.admin.cancel(id: id)
            """),
        "fulfilOrder": SDKCall(
            "Marks an order as sent, and sends the mail with the tracking number.",
            """
            try await pouch.admin.fulfil(id: id, tracking: Tracking(carrier: "DHL", number: "00340434161094015902"))
            """),
        "deliverOrder": SDKCall(
            "Marks an order as delivered.",
            """
            try await pouch.admin.deliver(id: id)
            """),
        "refundOrder": SDKCall(
            "Refunds an amount, units of lines, or all that is left of the charge.",
            """
            let lines = [Refund.Line(sku: "71101-69-m", quantity: 1)]
            let refund = try await pouch.admin.refund(
                orderId: id, RefundDraft(.lines(lines), reason: "One came with a hole."))
            """),
        "addOrderNote": SDKCall(
            "Adds a note that only the staff sees.",
            """
            try await pouch.admin.addNote("Rings twice.", toOrder: id)
            """),
        "packingSlip": SDKCall(
            "The packing slip as plain text.",
            """
            let slip = try await pouch.admin.packingSlip(id: id)
            """),
        "exportOrders": SDKCall(
            "Orders as CSV, with one row for each line.",
            """
            try await pouch.admin.exportOrders(OrderSearch(status: .paid), to: file)
            """),
        "customers": SDKCall(
            "The customers that match, the latest first.",
            """
            let page = try await pouch.admin.customers(search: "ann@example.com")
            """),
        "customer": SDKCall(
            "A customer with addresses and orders.",
            """
            let customer = try await pouch.admin.customer(id: id)
            """),
        "exportCustomers": SDKCall(
            "The customers as CSV.",
            """
            try await pouch.admin.exportCustomers(to: file)
            """),
    ]

    static let figures: [String: SDKCall] = [
        "salesReport": SDKCall(
            "The sales of a period by day, week or month, in the shop's time zone.",
            """
            let report = try await pouch.admin.sales(by: .week)
            """),
        "stockLevels": SDKCall(
            "The units on hand, held and available, by SKU.",
            """
            let page = try await pouch.admin.stock(atMost: 5)
            """),
        "exportStock": SDKCall(
            "The stock as CSV.",
            """
            try await pouch.admin.exportStock(to: file)
            """),
    ]

    static let webhooks: [String: SDKCall] = [
        "shopEvents": SDKCall(
            "The events of the shop after a given one.",
            """
            let page = try await pouch.admin.events(after: lastSeen, type: .orderPaid)
            """),
        "webhooks": SDKCall(
            "The registered webhooks.",
            """
            let page = try await pouch.admin.webhooks()
            """),
        "addWebhook": SDKCall(
            "Registers a URL that events are sent to. Only this response contains its secret.",
            """
            let added = try await pouch.admin.addWebhook(url: "https://hooks.example/pouch", types: [.orderPaid])
            """),
        "webhook": SDKCall(
            "One webhook.",
            """
            let webhook = try await pouch.admin.webhook(id: id)
            """),
        "updateWebhook": SDKCall(
            "Changes the fields that the body has. Turning it on also ends a pause.",
            """
            try await pouch.admin.changeWebhook(id: id, WebhookChange(isActive: true))
            """),
        "deleteWebhook": SDKCall(
            "Deletes a webhook with its deliveries.",
            """
            try await pouch.admin.removeWebhook(id: id)
            """),
        "rotateWebhookSecret": SDKCall(
            "Creates a new secret. For 24 hours requests are signed with the old one, too.",
            """
            let rotated = try await pouch.admin.rotateWebhookSecret(id: id)
            """),
        "webhookDeliveries": SDKCall(
            "The deliveries to a webhook with their attempts, the latest first.",
            """
            let page = try await pouch.admin.deliveries(webhookId: id, status: .failed)
            """),
        "redeliverWebhook": SDKCall(
            "Sends a delivery again.",
            """
            try await pouch.admin.redeliver(id: id)
            """),
    ]

    static let staff: [String: SDKCall] = [
        "staff": SDKCall(
            "The members of the staff and the open invitations.",
            """
            let page = try await pouch.admin.staff()
            """),
        "inviteStaff": SDKCall(
            "Sends an invitation by mail.",
            """
            try await pouch.admin.inviteStaff(email: "sam@example.com", as: .support)
            """),
        "changeStaffRole": SDKCall(
            "Changes the role of a member. The shop always has an owner.",
            """
            try await pouch.admin.changeStaffRole(id: id, to: .manager)
            """),
        "removeStaff": SDKCall(
            "Removes a member, whose account stays a customer's, or withdraws an invitation.",
            """
            try await pouch.admin.removeStaff(id: id)
            """),
        "apiKeys": SDKCall(
            "The keys of programs, without their tokens.",
            """
            let page = try await pouch.admin.apiKeys()
            """),
        "createAPIKey": SDKCall(
            "Creates a key for a program. Only this response contains its token.",
            """
            let key = try await pouch.admin.createAPIKey(name: "Warehouse", scopes: [.readOrders, .writeOrders])
            """),
        "revokeAPIKey": SDKCall(
            "Revokes a key at once.",
            """
            try await pouch.admin.revokeAPIKey(id: id)
            """),
        "auditLog": SDKCall(
            "The changes by the staff and by keys, the latest first.",
            """
            let page = try await pouch.admin.auditLog(AuditSelection(action: "updateVariant"))
            """),
    ]
}
