import PouchJSON

/// The values of an endpoint's description.
extension APIDocument {
    func values(_ operation: Operation) -> PageValues {
        let json = operation.json
        let call = SDKCalls.all[operation.id]
        let text = json["description"]?.string ?? call?.text ?? ""
        let parameters = json["parameters"]?.array ?? []
        let successes = successes(of: operation)
        let problems = problems(of: operation)
        let problemCount = problems.reduce(0) { $0 + $1.codes.count }
        let response = responseExample(of: operation)
        let values: PageValues = [
            "text": text, "hasText": !text.isEmpty,
            "access": access(of: operation),
            "parameters": parameters.map { parameter($0, of: operation.id) },
            "hasParameters": !parameters.isEmpty,
            "responses": successes,
            "problems": problems.map { status, codes -> PageValues in
                ["status": status, "codes": codes.map(problemLink)]
            },
            "problemCount": problemCount,
            "curl": curl(operation),
            "swift": call?.code ?? "", "hasSwift": call != nil,
            "response": response ?? "", "hasResponse": response != nil,
        ]
        return values.merging(entry(operation)) { own, _ in own }
            .merging(body(of: operation)) { own, _ in own }
            .merging(trial(of: operation)) { own, _ in own }
    }

    private func access(of operation: Operation) -> String {
        let security = operation.json["security"]?.array ?? []
        switch operation.json["x-access"]?.string ?? "" {
        case "anyone":
            return "Open to everyone"
                + (security.isEmpty ? "" : "; with a guest's token, the account takes over the guest's cart and orders")
        case "guestOrCustomer": return "Guests and customers"
        case "customer": return "Customers"
        case let permission: return "Staff, and API keys, with \(permission)"
        }
    }

    // MARK: The request

    /// - Parameter id: the endpoint's id, for the ids of inputs; nil where there are none.
    func parameter(_ json: JSON, of id: String?) -> PageValues {
        let name = json["name"]?.string ?? ""
        let place = json["in"]?.string ?? ""
        let text = json["description"]?.string ?? FieldTexts.text(name, of: place)
        let values: PageValues = [
            "name": name, "place": place, "isRequired": json["required"] == true,
            "text": text, "hasText": !text.isEmpty,
            "inputId": "try-\(id ?? "")-\(name)",
            "placeholder": json["example"]?.string ?? "",
        ]
        return values.merging(typeValues(json["schema"] ?? [:])) { own, _ in own }
    }

    private func body(of operation: Operation) -> PageValues {
        let body = operation.json["requestBody"]
        let content = body?["content"]?.object ?? [:]
        let schema = content["application/json"]?["schema"]
        let name = Self.name(referredBy: schema)
        let fields = name.map { rows(of: $0, within: "", around: []) } ?? []
        return [
            "hasBody": body != nil, "isBodyRequired": body?["required"] == true,
            "hasFields": name != nil,
            "tableName": "Body of \(operation.id)",
            "media": content.keys.sorted().joined(separator: ", "),
            "bodySchema": name ?? "", "bodyHref": "/docs/schemas/\(name ?? "")",
            "fields": fields,
        ]
    }

    /// The form that tries an endpoint that reads JSON and needs no account.
    private func trial(of operation: Operation) -> PageValues {
        let access = operation.json["x-access"]?.string
        let isJSON = operation.json["responses"]?["200"]?["content"]?["application/json"] != nil
        let canTry = operation.method == "GET" && isJSON && (access == "anyone" || access == "guestOrCustomer")
        let inputs = (operation.json["parameters"]?.array ?? []).filter { parameter in
            let name = parameter["name"]?.string ?? ""
            return parameter["in"]?.string != "header" && !name.contains("*")
        }
        return [
            "canTry": canTry, "needsToken": access == "guestOrCustomer",
            "inputs": inputs.map { parameter($0, of: operation.id) },
        ]
    }

    // MARK: The responses

    private func successes(of operation: Operation) -> [PageValues] {
        responses(of: operation).filter { $0.status < "400" }.map { status, response -> PageValues in
            let content = response["content"]?.object ?? [:]
            let media = content["application/json"] ?? content["text/event-stream"]
            let schema = media?["schema"]?["x-data"] ?? media?["schema"]
            let alternatives = schema?["anyOf"]?.array ?? [schema].compactMap { $0 }
            let names = alternatives.compactMap { Self.name(referredBy: $0) }
            let text = status == "200" || status == "201" ? "" : response["description"]?.string ?? ""
            let types = content.keys.filter { $0 != "*/*" }.sorted()
            let headers = (response["headers"]?.object ?? [:]).keys.sorted()
            return [
                "status": status,
                "text": text, "hasText": !text.isEmpty,
                "hasMedia": !content.isEmpty,
                "media": types.joined(separator: ", "),
                "schemas": names.map { ["name": $0, "href": "/docs/schemas/\($0)"] as PageValues },
                "headers": headers.joined(separator: ", "), "hasHeaders": !headers.isEmpty,
            ]
        }
    }

    /// The codes of each status from 400, both in ascending order.
    func problems(of operation: Operation) -> [(status: String, codes: [String])] {
        responses(of: operation).filter { $0.status >= "400" }.map { status, response in
            let schema = response["content"]?["application/problem+json"]?["schema"]
            let codes = schema?["properties"]?["code"]?["enum"]?.array ?? []
            return (status, codes.compactMap(\.string))
        }
    }

    private func problemLink(_ code: String) -> PageValues {
        let title = document["components"]?["examples"]?[code]?["summary"]?.string ?? ""
        return ["code": code, "href": "/docs/errors#\(code)", "title": title]
    }

    private func responses(of operation: Operation) -> [(status: String, response: JSON)] {
        (operation.json["responses"]?.object ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: Examples

    private func responseExample(of operation: Operation) -> String? {
        for (status, response) in responses(of: operation) where status.hasPrefix("2") {
            let content = response["content"]
            if let schema = content?["application/json"]?["schema"] {
                return PrettyJSON.text(example(of: schema, around: [], instead: nil) ?? [:])
            }
            if let data = content?["text/event-stream"]?["schema"]?["x-data"] {
                let value = example(of: data, around: [], instead: nil) ?? [:]
                return "id: 3\ndata: \(PrettyJSON.line(value))"
            }
        }
        return nil
    }

    private func curl(_ operation: Operation) -> String {
        let parameters = operation.json["parameters"]?.array ?? []
        var path = operation.path
        for parameter in parameters where parameter["in"] == "path" {
            let name = parameter["name"]?.string ?? ""
            path = path.replacing("{\(name)}", with: parameter["example"]?.string ?? name)
        }
        if let query = Self.exampleQueries[operation.id] { path += "?" + query }
        let method = operation.method == "GET" ? "" : "-X \(operation.method) "
        var lines = ["curl \(method)\(Self.quoted(server + path))"]
        let access = operation.json["x-access"]?.string
        if access != "anyone" { lines.append("-H \"Authorization: Bearer $TOKEN\"") }
        if parameters.contains(where: { $0["name"] == "Idempotency-Key" && $0["required"] == true }) {
            lines.append("-H 'Idempotency-Key: 7f1c2a34-51d0-4b7e-9a56-0c1d2e3f4a5b'")
        }
        if let content = operation.json["requestBody"]?["content"]?.object {
            if let name = Self.name(referredBy: content["application/json"]?["schema"]) {
                lines.append("-H 'Content-Type: application/json'")
                let body = PrettyJSON.text(example(of: name, around: []))
                lines.append("-d \(Self.quoted(body))")
            } else {
                let (type, file) = Self.exampleFiles[operation.id] ?? ("application/octet-stream", "file")
                lines.append("-H 'Content-Type: \(type)'")
                lines.append("--data-binary @\(file)")
            }
        }
        if operation.json["responses"]?["200"]?["content"]?["text/event-stream"] != nil { lines.append("-N") }
        return lines.joined(separator: " \\\n  ")
    }

    /// The text as one word of a shell's command.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    private static let exampleQueries = [
        "products": "q=cardigan&limit=2", "availability": "sku=71101-69-m", "salesReport": "by=week",
        "rideOptions": "latitude=-33.87&longitude=151.21", "ridePlaces": "q=opera", "stockLevels": "threshold=5",
        "importCatalog": "format=shopify-csv", "allOrders": "unsent=true", "shippingMethods": "country=AU",
    ]

    private static let exampleFiles = [
        "importCatalog": ("text/csv", "products.csv"), "addPicture": ("image/jpeg", "cardigan.jpg"),
    ]
}
