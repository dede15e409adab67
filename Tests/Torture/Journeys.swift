import PouchRides
import SeededRandom
import ServerTesting
import SystemPackage

/// A buyer fills a cart or buys directly, may sign up on the way, pays with one of several cards, and may cancel the
/// order or get a refund. Every request is sent with its idempotency key until it is answered.
struct BuyerJourney: Sendable {
    let attempts: Attempts
    let admin: BuyerSession
    let record: Record
    var random: SplitMix64

    private var buyer: BuyerSession?
    private var acknowledged: [Acknowledged] = []

    init(attempts: Attempts, admin: BuyerSession, record: Record, seed: UInt64) {
        self.attempts = attempts
        self.admin = admin
        self.record = record
        random = SplitMix64(seed: seed)
    }

    /// An address to which a kangaroo can deliver.
    static let atBondi = AddressInput(
        Address(
            name: "Ada", line1: "Campbell Parade 1", city: "Bondi Beach", postalCode: "2026", country: "AU",
            location: GeoPoint(latitude: -33.8915, longitude: 151.2767)))

    /// Runs the journey and adds its answers and violations to the record.
    mutating func run() async {
        do {
            buyer = try await session("POST", Contract.startGuestSession.endpoint.template.path())
            if let order = try await random.chance(55) ? checkOut() : buyNow() {
                if random.chance(30) { try await cancel(order) } else if random.chance(30) { try await refund(order) }
            }
        } catch { await record.report("a journey failed: \(error)") }
        for index in acknowledged.indices where acknowledged[index].buyer == nil { acknowledged[index].buyer = buyer }
        await record.add(acknowledged)
        await attempts.counts.add(\.journeys)
    }

    // MARK: Steps
    private mutating func checkOut() async throws -> Order? {
        for sku in random.chance(25) ? ["cap", "last"] : [random.chance(20) ? "last" : "cap"] {
            let added = try await keyed(
                "POST", "/v1/cart/lines", LineRequest(sku: sku, quantity: Int.random(in: 1...2, using: &random)))
            try added.expect([200], or: [.outOfStock])
        }
        if random.chance(40) {
            let code = DiscountRequest(code: random.chance(50) ? "TEN" : "FEW")
            let put = try await attempts.send(
                "PUT", "/v1/cart/discount", body: try code.json(), as: buyer, random: &random)
            try put.expect([200], or: [.discountExhausted])
        }
        let shipping =
            random.chance(30)
            ? ShippingRequest(methodId: "kangaroo", address: Self.atBondi)
            : ShippingRequest(methodId: "standard", address: AddressInput(.sample))
        try await attempts.send("PUT", "/v1/cart/shipping", body: try shipping.json(), as: buyer, random: &random)
            .expect([200])
        // A sign-up costs the server more than all other requests together.
        if random.chance(6) { try await signUp() }
        let cart: Cart = try await attempts.send("GET", "/v1/cart", as: buyer, random: &random).value()
        guard !cart.lines.isEmpty else { return nil }
        let card = card()
        let body = CheckoutRequest(
            paymentMethod: .card(token: card), expectedTotal: cart.totals.total,
            email: "guest-\(random.next())@example.com")
        return try await paid(keyed("POST", "/v1/cart/checkout", body, isFinal: Self.isFailure(of: card)), card)
    }

    private mutating func buyNow() async throws -> Order? {
        let quantity = Int.random(in: 1...2, using: &random)
        let card = card()
        let body = BuyNowRequest(
            lines: [LineRequest(sku: random.chance(20) ? "last" : "cap", quantity: quantity)],
            address: AddressInput(.sample), methodId: "standard", paymentMethod: .card(token: card),
            expectedTotal: Money(Int64(quantity) * 1000 + 490, .eur), email: "guest-\(random.next())@example.com")
        return try await paid(keyed("POST", "/v1/orders", body, isFinal: Self.isFailure(of: card)), card)
    }

    /// Checks the answer to a purchase, and returns the order if there is one.
    private func paid(_ answer: Attempts.Answer, _ card: String) async throws -> Order? {
        await attempts.counts.add(outcome: "\(card) \(answer.status)\(answer.code.map { " \($0.rawValue)" } ?? "")")
        let order = answer.status == 201 ? try answer.value(Order.self) : nil
        // The outcome of any card is open while the provider is down.
        if order?.status == .pending { return order }
        switch card {
        case "tok_declined": try answer.expect([402], or: [.outOfStock, .priceChanged, .discountExhausted])
        case "tok_error":
            try answer.expect([], or: [.paymentProviderError, .outOfStock, .priceChanged, .discountExhausted])
        default: try answer.expect([201], or: [.outOfStock, .priceChanged, .discountExhausted])
        }
        return order
    }

    private mutating func signUp() async throws {
        let guest = buyer
        let email = "buyer-\(random.next())@example.com"
        let body = SignUpRequest(name: "Ada", email: email, password: "correct horse")
        let answer = try await attempts.send("POST", "/v1/accounts", body: try body.json(), as: guest, random: &random)
        switch answer.status {
        case 201: buyer = BuyerSession(try answer.value(UserSession.self).remoteSession)
        // The first attempt succeeded, and its answer was lost.
        case 409:
            buyer = try await session(
                "POST", "/v1/sessions", try SignInRequest(email: email, password: "correct horse").json())
        default: try answer.expect([201])
        }
    }

    private mutating func cancel(_ order: Order) async throws {
        let answer = try await keyed("POST", "/v1/orders/\(order.id)/cancel", nil as LineRequest?)
        await attempts.counts.add(outcome: "cancel \(answer.status)\(answer.code.map { " \($0.rawValue)" } ?? "")")
        let mayBeSent = order.shipping?.methodId == "kangaroo"
        try answer.expect([200], or: order.status == .pending || mayBeSent ? [.notCancellable] : [])
    }

    /// Sends two refunds at the same time. Together they exceed the charge, so that one of them must fail.
    private mutating func refund(_ order: Order) async throws {
        guard order.status == .paid, order.totals.total.amount > 0 else { return }
        let amount = Money(order.totals.total.amount * 6 / 10, order.totals.total.currency)
        let body = try RefundOrderRequest(amount: amount, reason: "torn").json()
        let path = "/v1/admin/orders/\(order.id)/refunds"
        let tries = (0..<2).map { _ in (key: "refund-\(random.next())", random: SplitMix64(seed: random.next())) }
        let answers = try await withThrowingTaskGroup(of: Acknowledged.self) { group in
            for (key, random) in tries {
                group.addTask { [attempts, admin] in
                    var random = random
                    let answer = try await attempts.send("POST", path, body: body, as: admin, key: key, random: &random)
                    return Acknowledged(method: "POST", path: path, body: body, key: key, answer: answer, buyer: admin)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for answer in answers.map(\.answer) { try answer.expect([201], or: [.refundExceedsCapture]) }
        guard answers.count(where: { $0.answer.status == 201 }) == 1 else {
            throw Attempts.Unexpected(text: "\(answers.map(\.answer.status)) for two refunds of 60 percent each")
        }
        acknowledged += answers.filter { $0.answer.status == 201 }
    }

    // MARK: Requests
    private mutating func session(_ method: String, _ path: String, _ body: Data? = nil) async throws -> BuyerSession {
        let answer = try await attempts.send(method, path, body: body, random: &random)
        try answer.expect([201])
        return BuyerSession(try answer.value(UserSession.self).remoteSession)
    }

    /// Sends a request with a new idempotency key and remembers the answer if the server stores it for the key.
    private mutating func keyed(
        _ method: String, _ path: String, _ body: (some JSONCodable)?,
        isFinal: (Attempts.Answer) -> Bool = { _ in false }
    ) async throws -> Attempts.Answer {
        var sent = try await attempts.keyed(method, path, body, as: buyer, random: &random, isFinal: isFinal)
        if (200..<300).contains(sent.answer.status) || sent.answer.status == 402 {
            // `run` fills in the buyer in the end, since a guest may sign up.
            sent.buyer = nil
            acknowledged.append(sent)
        }
        return sent.answer
    }

    private mutating func card() -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<72: "tok_ok"
        case 72..<84: "tok_declined"
        case 84..<90: "tok_slow"
        case 90..<94: "tok_lost"
        default: "tok_error"
        }
    }

    /// Accepts the failure of the card that always fails. Purchases with other cards are retried.
    private static func isFailure(of card: String) -> (Attempts.Answer) -> Bool {
        { card == "tok_error" && $0.code == .paymentProviderError }
    }
}

/// Riders who all ride at the same time while servers are killed at random moments and restarted.
struct RideTorture: Sendable {
    let executable: FilePath
    let riders: Int
    let kangaroosOfEachSpecies: Int
    let kills: Int
    /// Determines the actions of the riders and the kills. The machine determines the rest.
    let seed: UInt64

    /// Fast enough that a ride takes some seconds.
    private static let citySpeed = 150

    private struct Rider: Sendable {
        let id: String
        let session: BuyerSession
    }

    func run(in folder: URL, progress: @Sendable (String) -> Void = { _ in }) async throws -> AttackOutcome {
        let database = try await TestDatabase(in: folder)
        let riders = try await signUp(ServerConfiguration(database: database.address))
        let options = ["--city-speed", "\(Self.citySpeed)", "--kangaroos", "\(kangaroosOfEachSpecies)"]
        return try await Attempts.onFleet(executable, database, options: options, folder: folder) {
            attempts, connection in
            let inspection = RideInspection(
                database: connection, riderIds: riders.map(\.id),
                kangaroos: kangaroosOfEachSpecies * Species.allCases.count)
            return try await attack(attempts, riders, inspection, progress)
        }
    }

    /// Creates the accounts without the server, since hashing their passwords there would take longer than all rides.
    private func signUp(_ configuration: ServerConfiguration) async throws -> [Rider] {
        let (database, _, environment) = try await configuration.open()
        let accounts = try await AccountService.administration(
            environment, passwordCost: .init(log2N: 4, blockSize: 8, parallelism: 1))
        var riders: [Rider] = []
        for number in 0..<self.riders {
            let session = try await accounts.signUp(
                name: "Ada", email: "rider-\(number)@example.com", mobileNumber: nil, password: "correct horse",
                network: "")
            riders.append(Rider(id: session.profile?.id ?? "", session: BuyerSession(session.remoteSession)))
        }
        try await database.close()
        return riders
    }

    private func attack(
        _ attempts: Attempts, _ riders: [Rider], _ inspection: RideInspection, _ progress: @Sendable (String) -> Void
    ) async throws -> AttackOutcome {
        let start = ContinuousClock.now
        var random = SplitMix64(seed: seed)
        let record = Record()
        try await withThrowingDiscardingTaskGroup { group in
            for rider in riders {
                var journey = RideJourney(
                    attempts: attempts, record: record, rider: rider.session, random: SplitMix64(seed: random.next()))
                group.addTask { await journey.run() }
            }
            for kill in 1...kills {
                try await attempts.untilAnswered(Int.random(in: 1...2 * riders.count, using: &random))
                let victims =
                    random.chance(30)
                    ? attempts.fleet.shops : attempts.fleet.shops.randomElement(using: &random).map { [$0] } ?? []
                try await Fleet.kill(victims)
                await attempts.counts.killed(shops: victims.count)
                for violation in try await inspection.violations() { await record.report(violation) }
                progress(
                    "kill \(kill) of \(kills), \(await attempts.counts.values.requests) requests, "
                        + "\(await record.violations.count) violations")
            }
        }
        let acknowledged = await record.acknowledged
        let rideIds = acknowledged.filter { $0.answer.status == 201 }.compactMap { try? $0.answer.value(Ride.self).id }
        let wrong = try await inspection.violations(acknowledged: rideIds)
        let broken = try await Inspection(attempts: attempts, database: inspection.database, stock: [:])
            .broken(acknowledged)
        return AttackOutcome(
            violations: await record.violations + wrong + broken,
            summary: summary(await attempts.counts.values, rides: rideIds.count, took: ContinuousClock.now - start))
    }

    private func summary(_ counts: Counts.Values, rides: Int, took: Duration) -> String {
        """
        seed \(seed), \(riders) riders and \(kangaroosOfEachSpecies * Species.allCases.count) kangaroos in \
        \(took.components.seconds) s on \(Fleet.setup)
        kills: \(counts.shopKills); requests: \(counts.requests), \(counts.unanswered) of them unanswered
        rides: \(rides); answers compared with a replay: \(counts.replays)
        ends: \(counts.outcomes)
        """
    }
}

/// A rider requests a ride, with or without a quote, polls it until it ends, or cancels it on the way, and requests
/// another one if no kangaroo came. Every change is sent with its idempotency key until it is answered.
struct RideJourney: Sendable {
    let attempts: Attempts
    let record: Record
    let rider: BuyerSession
    var random: SplitMix64

    /// The time limit of a ride, which takes some seconds while the servers run.
    private static let patience = Duration.seconds(400)
    private static let tries = 3

    /// Runs the journey and adds its answers and violations to the record.
    mutating func run() async {
        do {
            for _ in 0..<Self.tries {
                let end = try await ride()
                await attempts.counts.add(outcome: end.rawValue)
                if end == .completed { break }
            }
        } catch { await record.report("a journey failed: \(error)") }
        await attempts.counts.add(\.journeys)
    }

    private mutating func ride() async throws -> RideStatus {
        let waypoints = trip()
        let option = Species.allCases.randomElement(using: &random)?.rawValue ?? Species.wallaby.rawValue
        let quote = random.chance(50) ? try await quote(waypoints, option) : nil
        let requested: Ride = try await keyed(
            "/v1/rides", RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quote?.id), [201]
        ).value()
        guard quote == nil || quote?.fare == requested.fare else {
            throw Attempts.Unexpected(text: "ride \(requested.id) has another fare than its quote")
        }
        let polls = random.chance(25) ? Int.random(in: 0...8, using: &random) : Int.max
        let end = ContinuousClock.now + Self.patience
        for poll in 0... {
            if poll == polls {
                try await keyed("/v1/rides/\(requested.id)/cancel", nil as RideRequest?, [200], or: [.notCancellable])
            }
            let now: Ride = try await attempts.send("GET", "/v1/rides/\(requested.id)", as: rider, random: &random)
                .value()
            if now.status.isFinal { return now.status }
            guard ContinuousClock.now < end else { break }
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...800, using: &random)))
        }
        throw Attempts.Unexpected(text: "ride \(requested.id) did not end")
    }

    private mutating func quote(_ waypoints: RideWaypoints, _ option: String) async throws -> FareQuote? {
        let body = try QuoteRequest(waypoints: waypoints).json()
        return try await attempts.send("POST", "/v1/ride/quotes", body: body, as: rider, random: &random)
            .value(Page<FareQuote>.self).items.first { $0.rideOptionID == option }
    }

    /// Returns a trip of some kilometres that starts in the centre of the city.
    private mutating func trip() -> RideWaypoints {
        let start = point(near: GeoPoint(latitude: -33.88, longitude: 151.19), within: 0.06)
        return RideWaypoints(pickupLocation: start, dropoffLocation: point(near: start, within: 0.03))
    }

    private mutating func point(near centre: GeoPoint, within degrees: Double) -> GeoPoint {
        GeoPoint(
            latitude: centre.latitude + Double.random(in: -degrees...degrees, using: &random),
            longitude: centre.longitude + Double.random(in: -degrees...degrees, using: &random))
    }

    /// Sends a request with a new idempotency key and records the answer if the server stores it for the key.
    @discardableResult
    private mutating func keyed(
        _ path: String, _ body: (some JSONCodable)?, _ statuses: Set<Int>, or codes: Set<ProblemCode> = []
    ) async throws -> Attempts.Answer {
        let sent = try await attempts.keyed("POST", path, body, as: rider, random: &random)
        try sent.answer.expect(statuses, or: codes)
        if statuses.contains(sent.answer.status) { await record.add([sent]) }
        return sent.answer
    }
}
